"""Renders the pictures of a run by Cycles, without a window:

    blender -b --factory-startup --python blender/render_run.py -- RUN [options]

docs/blender.md tells the options, what is printed and the exit codes.
"""

import argparse
import contextlib
import os
import signal
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

try:
    import numpy  # noqa: F401
except ImportError:
    what = "Blender's Python has no numpy; is another python3 first in PATH?"
    print(f"error: {what}", file=sys.stderr)
    sys.exit(2)
import bpy  # noqa: E402
from millrace_import import animation  # noqa: E402
from millrace_import.errors import FileError  # noqa: E402
from millrace_import.frame_lock import FrameLock  # noqa: E402
from millrace_import.import_run import ImportOptions, has_denoiser, import_run  # noqa: E402
from millrace_import.run_folder import RunFolder  # noqa: E402

SAMPLES_WITH_DENOISER, SAMPLES_WITHOUT = 16, 24
SMALLEST_SIDE, LARGEST_SIDE = 16, 8192  # [pixels]
GPU_KINDS = ("OPTIX", "CUDA", "HIP", "METAL", "ONEAPI")


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise FileError("option", message)


def parse(arguments):
    parser = Parser(prog="render_run.py", allow_abbrev=False)
    parser.add_argument("run")
    parser.add_argument("--out")
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--frames", default=":")
    parser.add_argument("--samples", type=int)
    parser.add_argument("--device", choices=("CPU", "GPU"), default="CPU")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--fluid", choices=("auto", "surface", "particles"), default="auto")
    parser.add_argument("--tanks", choices=("glass", "hidden", "solid"), default="glass")
    parser.add_argument("--no-motion-blur", action="store_true")
    parser.add_argument("--save", metavar="FILE.blend")
    return parser.parse_args(arguments)


def parse_size(text):
    try:
        width, height = (int(part) for part in text.split("x"))
        if all(SMALLEST_SIDE <= side <= LARGEST_SIDE for side in (width, height)):
            return width, height
    except ValueError:
        pass
    limits = f"each side from {SMALLEST_SIDE} to {LARGEST_SIDE}"
    raise FileError("--size", f"must be WIDTHxHEIGHT, {limits}, got {text}")


def chosen_frames(run, fluid, text):
    """The numbers of the frames A to B; without them from the first to the last one there is."""
    part = "surface" if run.frames["surface"] and fluid != "particles" else "particles"
    if fluid == "surface" and part != "surface":
        raise FileError(run.folder, "no surface in it; make one by `millrace mesh`")
    there = run.numbers(part) or run.numbers()
    if not there:
        raise FileError(run.folder, "no frames in it; the run has ended before the first one")
    everything = run.numbers()
    first, last = there[0], there[-1]
    try:
        start, colon, end = text.partition(":")
        first = int(start) if start else first
        last = int(end) if end else last if colon else first
    except ValueError:
        raise FileError("--frames", f"must be A:B, A:, :B or A, got {text}") from None
    if first > last or first > everything[-1] or first < everything[0]:
        has = f"the run has the frames {everything[0]} to {everything[-1]}"
        raise FileError("--frames", f"{has}, asked for {text}")
    return range(first, min(last, everything[-1]) + 1)


def use_gpu():
    """Every device of the best kind there is; returns False without one."""
    preferences = bpy.context.preferences.addons["cycles"].preferences
    for kind in GPU_KINDS:
        try:
            preferences.compute_device_type = kind
        except TypeError:  # not in this build
            continue
        preferences.get_devices()
        devices = [d for d in preferences.devices if d.type == kind]
        for device in preferences.devices:
            device.use = device in devices
        if devices:
            bpy.context.scene.cycles.device = "GPU"
            return True
    return False


def set_up(scene, options, size):
    render, cycles = scene.render, scene.cycles
    render.resolution_x, render.resolution_y = size
    render.resolution_percentage = 100
    render.image_settings.file_format = "PNG"
    render.image_settings.color_mode = "RGB"
    render.use_file_extension = False
    if options.threads > 0:
        render.threads_mode, render.threads = "FIXED", options.threads
    if options.no_motion_blur:
        render.use_motion_blur = False
    usual = SAMPLES_WITH_DENOISER if has_denoiser() else SAMPLES_WITHOUT
    cycles.samples = options.samples or usual
    cycles.use_adaptive_sampling = True
    cycles.adaptive_threshold = 0.04
    cycles.adaptive_min_samples = min(8, cycles.samples)
    if options.device == "GPU" and not use_gpu():
        raise FileError("--device GPU", "Blender finds no GPU that it can render with; use CPU")


@contextlib.contextmanager
def silence():
    """Cycles tells every tile on stdout."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def tell_error(text):
    print(f"error: {text}".replace("\n", " "), file=sys.stderr, flush=True)


def render_frame(scene, number, lock):
    """Raises FileError or OSError."""
    with silence():
        scene.frame_set(number)  # loads the frame, and says so if it cannot
    errors = animation.update(scene)
    if errors:
        raise FileError(f"frame {number}", "; ".join(errors))
    scene.render.filepath = lock.temporary
    with silence():
        bpy.ops.render.render(write_still=True)
    if not os.path.exists(lock.temporary):
        raise FileError(lock.picture, "cannot be written; check the folder and the disk")
    lock.publish()


def render_all(scene, numbers, folder):
    """Returns how many frames have failed."""
    failed = 0
    for done, number in enumerate(numbers, 1):
        lock, state = FrameLock(folder, number), ""
        if os.path.exists(lock.picture):
            state = " (is there)"
        elif not lock.take():
            state = " (another one draws it)"
        else:
            try:
                render_frame(scene, number, lock)
            except (FileError, OSError, RuntimeError) as error:
                tell_error(error)
                failed += 1
                state = " (failed)"
            finally:
                lock.release()
        print(f"frame {done} of {len(numbers)}{state}", flush=True)
    return failed


def main():
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Blender would only end the current frame
    given = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    try:
        options = parse(given)
        size = parse_size(options.size)
        if options.samples is not None and options.samples < 1:
            raise FileError("--samples", f"must be at least 1, got {options.samples}")
        run = RunFolder(options.run)
        numbers = chosen_frames(run, options.fluid, options.frames)
        folder = os.path.abspath(options.out or run.path("render_blender"))
        os.makedirs(folder, exist_ok=True)
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        animation.register()
        scene = bpy.context.scene
        set_up(scene, options, size)
        particles = "ALWAYS" if options.fluid == "particles" else "AUTO"
        wanted = ImportOptions(
            surface=options.fluid != "particles", particles=particles, tanks=options.tanks.upper()
        )
        with silence():
            import_run(options.run, wanted)
        set_up(scene, options, size)
        if options.save:
            bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(options.save))
    except (FileError, OSError) as error:
        tell_error(error)
        return 2
    return 1 if render_all(scene, numbers, folder) else 0


if __name__ == "__main__":
    sys.exit(main())
