#include "render/gl_context.hpp"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <vector>

#include "millrace/error.hpp"
#include "platform/this_program.hpp"

namespace millrace {
namespace {

constexpr const char* k_remedy =
    " (on Debian: apt install libegl1 libopengl0 libgl1-mesa-dri, which also draws without a GPU)";

/// An initialised display, or none.
EGLDisplay try_platform(EGLenum platform, void* native) {
    const EGLDisplay display = eglGetPlatformDisplayEXT(platform, native, nullptr);
    if (display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr))
        return display;
    return EGL_NO_DISPLAY;
}

/// Mesa without a window system first, then each GPU, then whatever the system's default is.
EGLDisplay open_display() {
    if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base")) {
        if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) {
            const EGLDisplay display =
                try_platform(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY);
            if (display != EGL_NO_DISPLAY)
                return display;
        }
        if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device") &&
            epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_enumeration")) {
            EGLDeviceEXT devices[16];
            EGLint count = 0;
            if (!eglQueryDevicesEXT(16, devices, &count))
                count = 0;
            for (EGLint i = 0; i < count; ++i) {
                const EGLDisplay display = try_platform(EGL_PLATFORM_DEVICE_EXT, devices[i]);
                if (display != EGL_NO_DISPLAY)
                    return display;
            }
        }
    }
    const EGLDisplay display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    if (display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr))
        return display;
    throw RunError(std::string("no OpenGL display without a window could be opened") + k_remedy);
}

}  // namespace

GlContext::GlContext() {
    // libepoxy ends the process where these libraries are missing, so look for them before
    for (const char* library : {"libEGL.so.1", "libOpenGL.so.0"})
        if (!platform::load_library(library))
            throw RunError(std::string(library) + " is not installed" + k_remedy);
    display_ = open_display();
    const auto fail = [](const char* what) { throw RunError(std::string(what) + k_remedy); };
    if (!eglBindAPI(EGL_OPENGL_API))
        fail("EGL offers no desktop OpenGL");
    const EGLint config_wish[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                  EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint found = 0;
    if (!eglChooseConfig(display_, config_wish, &config, 1, &found) || found == 0)
        fail("EGL offers no configuration for drawing without a window");
    const EGLint context_wish[] = {EGL_CONTEXT_MAJOR_VERSION,
                                   3,
                                   EGL_CONTEXT_MINOR_VERSION,
                                   3,
                                   EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                   EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                   EGL_NONE};
    context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, context_wish);
    if (context_ == EGL_NO_CONTEXT)
        fail("OpenGL 3.3 is not available");
    const EGLint surface_wish[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    surface_ = eglCreatePbufferSurface(display_, config, surface_wish);
    if (surface_ == EGL_NO_SURFACE || !eglMakeCurrent(display_, surface_, surface_, context_))
        fail("the OpenGL context cannot be used");
}

GlContext::~GlContext() {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroySurface(display_, surface_);
    eglDestroyContext(display_, context_);
    // the display belongs to the whole process and stays: Mesa leaks when it is closed
}

}  // namespace millrace
