#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "commands.hpp"
#include "millrace/error.hpp"

int main(int argc, char** argv) {
    CLI::App app{"Millrace: particle fluids that push and are pushed"};
    app.require_subcommand(1);
    app.set_version_flag("--version", MILLRACE_VERSION);
    millrace::add_render_command(app);
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
