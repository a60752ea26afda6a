#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "commands.hpp"
#include "millrace/error.hpp"

namespace {

// OpenMP's threads spin while they wait, which makes a step several times slower when another
// program wants a core. The library reads its setting only when it is loaded, so the tool starts
// itself once more with a better one, unless the user has chosen.
void wait_without_spinning(char** argv) {
    if (std::getenv("OMP_WAIT_POLICY") || std::getenv("GOMP_SPINCOUNT"))
        return;
    setenv("OMP_WAIT_POLICY", "passive", 1);
    execv("/proc/self/exe", argv);  // if this fails, all goes on as it was
}

}  // namespace

int main(int argc, char** argv) {
    wait_without_spinning(argv);
    CLI::App app{"Millrace: particle fluids that push and are pushed"};
    app.require_subcommand(1);
    app.set_version_flag("--version", MILLRACE_VERSION);
    millrace::add_bench_command(app);
    millrace::add_render_command(app);
    millrace::add_selftest_command(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? 0 : 2;
    } catch (const millrace::InputError& e) {
        std::fprintf(stderr, "error: %s\n", e.what());
        return 2;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "error: %s\n", e.what());
        return 1;
    }
    return 0;
}
