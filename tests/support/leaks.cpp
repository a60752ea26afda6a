/// Leaks that are not ours, for the sanitizer: assimp keeps a file open when it throws half-way,
/// and the software renderer's compiler and shader cache may still hold memory when the program
/// ends.
extern "C" const char* __lsan_default_suppressions();

const char* __lsan_default_suppressions() {
    return "leak:Assimp::DefaultIOSystem::Open\nleak:libassimp\n"
           "leak:libLLVM\nleak:swrast_dri\nleak:libgallium\nleak:libEGL_mesa";
}
