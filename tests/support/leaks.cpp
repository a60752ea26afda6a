/// Leaks that are not ours, for the sanitizer: assimp keeps a file open when it throws half-way.
extern "C" const char* __lsan_default_suppressions();

const char* __lsan_default_suppressions() {
    return "leak:Assimp::DefaultIOSystem::Open\nleak:libassimp";
}
