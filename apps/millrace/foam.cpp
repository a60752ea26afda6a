#include <memory>

#include "commands.hpp"
#include "millrace/error.hpp"
#include "pass_options.hpp"
#include "passes/foam_pass.hpp"
#include "platform/signals.hpp"

namespace millrace {
namespace {

struct FoamArguments {
    PassArguments pass;
    DiffuseOutput diffuse;
    std::vector<double> lifetime;
};

/// The scene's output.diffuse, changed by the options that were given.
DiffuseOutput wanted_diffuse(const FoamArguments& arguments, const CLI::App& command) {
    const DiffuseOutput defaults;
    DiffuseOutput diffuse = scene_of_run(arguments.pass.run).output.diffuse.value_or(defaults);
    if (command.count("--rate"))
        diffuse.rate = arguments.diffuse.rate;
    if (command.count("--lifetime")) {
        diffuse.shortest_life = arguments.lifetime[0];
        diffuse.longest_life = arguments.lifetime[1];
    }
    if (!(diffuse.shortest_life > 0 && diffuse.shortest_life <= diffuse.longest_life))
        throw InputError("--lifetime: must be SHORTEST LONGEST in seconds, above 0, in this order");
    if (command.count("--format"))
        diffuse.formats = arguments.pass.formats;
    return diffuse;
}

void foam(FoamArguments arguments, const CLI::App& command) {
    arguments.pass.run = run_or_newest(arguments.pass.run);
    FoamRequest request;
    request.diffuse = wanted_diffuse(arguments, command);
    request.frames = start_pass(arguments.pass);
    request.run = arguments.pass.run;
    request.overwrite = arguments.pass.overwrite;
    request.quiet = arguments.pass.quiet;
    request.stop = [] { return platform::caught_signal() != 0; };
    const PassOutcome outcome = foam_pass(request);
    end_pass(arguments.pass, outcome, "foam", (request.run / "diffuse.pvd").string());
}

}  // namespace

void add_foam_command(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("foam", "Spray, foam and bubbles for the frames of a run");
    auto arguments = std::make_shared<FoamArguments>();
    add_pass_options(*command, arguments->pass);
    command
        ->add_option("--rate", arguments->diffuse.rate,
                     "How many a fluid particle makes in a second at most (4000)")
        ->check(CLI::Range(0.0, 1e9));
    command
        ->add_option("--lifetime", arguments->lifetime, "Shortest and longest in seconds (0.5 4)")
        ->expected(2);
    command
        ->add_option("--format", arguments->pass.formats,
                     "Files besides vtu: ply, bgeo, h5; several with commas")
        ->delimiter(',')
        ->check(CLI::IsMember({"vtu", "ply", "bgeo", "h5"}));
    command->callback([arguments, command] { foam(*arguments, *command); });
}

}  // namespace millrace
