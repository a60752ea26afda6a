#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>

#include "commands.hpp"
#include "geometry/mesh_file.hpp"
#include "io/checkpoint.hpp"
#include "io/vdb.hpp"
#include "millrace/error.hpp"
#include "millrace/simulation.hpp"
#include "platform/this_program.hpp"
#include "rigid/rigid_engine.hpp"
#include "world/make_flat_bodies.hpp"

namespace {

std::string version_text() {
#ifdef MILLRACE_RENDER
    constexpr bool has_render = true;
#else
    constexpr bool has_render = false;
#endif
    const auto line = [](const char* part, bool built) {
        return std::string("\n  ") + part + (built ? "yes" : "no");
    };
    return "millrace " + millrace::version() + line("CUDA (NVIDIA GPU): ", millrace::has_cuda()) +
           line("assimp (meshes): ", millrace::can_load_meshes()) +
           line("Bullet (contacts, joints): ", millrace::rigid_engines().size() > 1) +
           line("Box2D (bodies in 2D): ", millrace::has_box2d()) +
           line("HDF5 (checkpoints): ", millrace::has_checkpoints()) +
           line("OpenVDB (level sets): ", millrace::can_write_vdb()) +
           line("render (pictures, video): ", has_render);
}

/// An error is one line, whatever bytes a damaged file has put into it.
int fail(std::string text, int code) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return std::iscntrl(c); }, ' ');
    std::fprintf(stderr, "error: %s\n", text.c_str());
    return code;
}

// OpenMP's threads spin for long while they wait, which makes a step several times slower when
// another program wants a core; threads that sleep at once are slow to wake in the short loops of a
// pool. The library reads its setting only when it is loaded, so the tool starts itself once more
// with about 0.1 ms, unless the user has chosen.
void spin_only_briefly(char** argv) {
    if (std::getenv("OMP_WAIT_POLICY") || std::getenv("GOMP_SPINCOUNT"))
        return;
    millrace::platform::start_again_with("GOMP_SPINCOUNT", "10000", argv);
}

/// The exit code of the command, or 1 where what it printed has not arrived.
int with_output_checked(int code) {
    const bool written = std::fflush(stdout) == 0 && !std::ferror(stdout);
    return written || code != 0 ? code
                                : fail("standard output: cannot be written; is its disk full?", 1);
}

int run_command(int argc, char** argv) {
    CLI::App app{"Millrace: particle fluids that push and are pushed"};
    app.require_subcommand(1);
    app.set_version_flag("--version", version_text());
    millrace::add_run_command(app);
    millrace::add_info_command(app);
    millrace::add_convert_command(app);
    millrace::add_bench_command(app);
    millrace::add_mesh_command(app);
    millrace::add_foam_command(app);
    millrace::add_render_command(app);
    millrace::add_selftest_command(app);
    millrace::add_experiment_command(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::RuntimeError& e) {
        return e.get_exit_code();
    } catch (const CLI::Success& e) {
        return app.exit(e);
    } catch (const CLI::ParseError& e) {
        const bool no_command = app.get_subcommands().empty() && !app.remaining().empty();
        const std::string problem =
            no_command ? "there is no command or option '" + app.remaining()[0] + "'" : e.what();
        return fail(problem + "; see millrace --help", 2);
    } catch (const millrace::InputError& e) {
        return fail(e.what(), 2);
    } catch (const std::bad_alloc&) {
        return fail("not enough memory; use a larger spacing", 1);
    } catch (const std::exception& e) {
        return fail(e.what(), 1);
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    spin_only_briefly(argv);
    millrace::platform::keep_standard_places();
    return with_output_checked(run_command(argc, argv));
}
