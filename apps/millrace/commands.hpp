#pragma once

namespace CLI {
class App;
}

// One function per subcommand, each in a file of its own: it declares its options and, as the
// subcommand's callback, does the work. A callback may throw InputError or RunError.
namespace millrace {

void add_run_command(CLI::App& app);
void add_info_command(CLI::App& app);
void add_convert_command(CLI::App& app);
void add_bench_command(CLI::App& app);
void add_mesh_command(CLI::App& app);
void add_foam_command(CLI::App& app);
void add_render_command(CLI::App& app);
void add_selftest_command(CLI::App& app);
void add_experiment_command(CLI::App& app);

}  // namespace millrace
