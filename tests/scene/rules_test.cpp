// The values of a scene: types, limits, rules between keys.
#include "scene/scene_test.hpp"

namespace millrace::scene_test {

TEST(SceneRules, Types) {
    EXPECT_EQ(refusal({"fluids[0].density=\"a lot\""}),
              "pool.json: fluids[0].density: must be a number, got 'a lot'");
    EXPECT_EQ(refusal({"spacing=null"}), "pool.json: spacing: must be a number, got null");
    EXPECT_EQ(refusal({"spacing=[1]"}), "pool.json: spacing: must be a number, got a list");
    EXPECT_EQ(refusal({"pressure.warm_start=1"}),
              "pool.json: pressure.warm_start: must be true or false, got 1");
    EXPECT_EQ(refusal({"name=7"}), "pool.json: name: must be a text, got 7");
    EXPECT_EQ(refusal({"pressure=7"}), "pool.json: pressure: must be an object, got 7");
    EXPECT_EQ(refusal({"fluids={}"}), "pool.json: fluids: must be a list, got an object");
    EXPECT_EQ(refusal({"fluids[0]=true"}), "pool.json: fluids[0]: must be an object, got true");
    EXPECT_EQ(refusal({"dimension=2.5"}), "pool.json: dimension: must be a whole number, got 2.5");
    EXPECT_EQ(refusal({"seed=\"a\""}), "pool.json: seed: must be a whole number, got 'a'");
    EXPECT_EQ(refusal({"output.fields=velocity"}),
              "pool.json: output.fields: must be a list, got 'velocity'");
    EXPECT_EQ(refusal({"output.fields=[1]"}), "pool.json: output.fields[0]: must be a text, got 1");
}

TEST(SceneRules, Limits) {
    EXPECT_EQ(refusal({"fluids[0].density=-3"}),
              "pool.json: fluids[0].density: must be greater than 0, got -3");
    EXPECT_EQ(refusal({"spacing=-0.02"}), "pool.json: spacing: must be greater than 0, got -0.02");
    EXPECT_EQ(refusal({"spacing=0"}), "pool.json: spacing: must be greater than 0, got 0");
    EXPECT_EQ(refusal({"support=0.9"}), "pool.json: support: must be at least 1, got 0.9");
    EXPECT_EQ(refusal({"support=4.5"}), "pool.json: support: must be at most 4, got 4.5");
    EXPECT_EQ(refusal({"dimension=1"}), "pool.json: dimension: must be at least 2, got 1");
    EXPECT_EQ(refusal({"dimension=4"}), "pool.json: dimension: must be at most 3, got 4");
    EXPECT_EQ(refusal({"end=-1"}), "pool.json: end: must be at least 0, got -1");
    EXPECT_EQ(refusal({"seed=-1"}), "pool.json: seed: must be at least 0, got -1");
    EXPECT_EQ(refusal({"output.fps=0"}), "pool.json: output.fps: must be greater than 0, got 0");
    EXPECT_EQ(refusal({"time_step.cfl=0"}),
              "pool.json: time_step.cfl: must be greater than 0, got 0");
    EXPECT_EQ(refusal({"time_step.cfl=1.1"}),
              "pool.json: time_step.cfl: must be at most 1, got 1.1");
    EXPECT_EQ(refusal({"time_step.min=0"}),
              "pool.json: time_step.min: must be greater than 0, got 0");
    EXPECT_EQ(refusal({"pressure.avg_error=0"}),
              "pool.json: pressure.avg_error: must be greater than 0, got 0");
    EXPECT_EQ(refusal({"pressure.max_error=-1e-3"}),
              "pool.json: pressure.max_error: must be greater than 0, got -0.001");
    EXPECT_EQ(refusal({"pressure.relaxation=2"}),
              "pool.json: pressure.relaxation: must be at most 1, got 2");
    EXPECT_EQ(refusal({"pressure.max_iterations=0"}),
              "pool.json: pressure.max_iterations: must be at least 1, got 0");
    EXPECT_EQ(refusal({"fluids[0].viscosity.nu=-1"}),
              "pool.json: fluids[0].viscosity.nu: must be at least 0, got -1");
    EXPECT_EQ(refusal({"fluids[0].fill[0].jitter=-1"}),
              "pool.json: fluids[0].fill[0].jitter: must be at least 0, got -1");
    EXPECT_EQ(refusal({"fluids[0].color=[0, 0.5, 255]"}),
              "pool.json: fluids[0].color[2]: must be at most 1, got 255");
    EXPECT_EQ(refusal({R"(camera={"position": [1, 1, 1], "target": [0, 0, 0], "fov": 180})"}),
              "pool.json: camera.fov: must be less than 180, got 180");
    EXPECT_EQ(refusal({"gravity=[0, -1e300, 0]"}),
              "pool.json: gravity[1]: must be at most 1e+15 in size, got -1e+300");
}

TEST(SceneRules, WholeNumbers) {
    EXPECT_EQ(pool({"seed=18446744073709551615"}).seed, 18446744073709551615u);
    EXPECT_EQ(pool({"seed=1e3"}).seed, 1000u);
    EXPECT_EQ(refusal({"seed=18446744073709551616"}),
              "pool.json: seed: must be at most 18446744073709551615 in size, got "
              "18446744073709551616");
    EXPECT_EQ(pool({"dimension=3.0"}).dimension, 3);
    EXPECT_EQ(refusal({"pressure.max_iterations=3000000000"}),
              "pool.json: pressure.max_iterations: must be at most 2147483647 in size, got "
              "3000000000");
}

TEST(SceneRules, VectorsHaveAsManyNumbersAsTheDimension) {
    EXPECT_EQ(refusal({"gravity=[0, -9.81]"}),
              "pool.json: gravity: must have 3 numbers in 3D, got 2");
    EXPECT_EQ(refusal_2d({"gravity=[0, -9.81, 0]"}),
              "pool.json: gravity: must have 2 numbers in 2D, got 3");
    EXPECT_EQ(refusal({"gravity=9.81"}),
              "pool.json: gravity: must be a list of 3 numbers, got 9.81");
    EXPECT_EQ(refusal({"gravity=[0, down, 0]"}),
              "pool.json: gravity: must be a list of 3 numbers, got '[0, down, 0]'");
    EXPECT_EQ(refusal({"gravity=[0, \"down\", 0]"}),
              "pool.json: gravity[1]: must be a number, got 'down'");
    EXPECT_EQ(refusal({"dimension=2"}),
              "pool.json: fluids[0].fill[0].box.min: must have 2 numbers in 2D, got 3");
    EXPECT_EQ(refusal_2d({"fluids[0].color=[1, 1]"}),
              "pool.json: fluids[0].color: must have 3 numbers, got 2");
    EXPECT_EQ(refusal_2d({R"(camera={"position": [0, 0], "target": [0, 0, 0]})"}),
              "pool.json: camera.position: must have 3 numbers, got 2");
}

TEST(SceneRules, Choices) {
    EXPECT_EQ(refusal({"pressure.method=iispf"}),
              "pool.json: pressure.method: must be one of wcsph, pcisph, iisph, dfsph, mueller, "
              "clavet, spook; got "
              "'iispf'; did you mean 'iisph'?");
    EXPECT_EQ(
        refusal({"fluids[0].viscosity.method=thick"}),
        "pool.json: fluids[0].viscosity.method: must be one of none, standard, implicit, xsph; "
        "got 'thick'");
    EXPECT_EQ(refusal({"output.particles=[\"las\"]"}),
              "pool.json: output.particles[0]: must be one of vtu, ply, bgeo, h5; got 'las'");
    EXPECT_EQ(refusal({"output.fields=[\"id\", \"mass\"]"}),
              "pool.json: output.fields[1]: must be one of velocity, density, pressure, id; got "
              "'mass'");
    EXPECT_EQ(refusal({"output.fields=[\"id\", \"id\"]"}),
              "pool.json: output.fields[1]: 'id' is listed twice");
    EXPECT_EQ(pool({"output.particles=[]"}).output.particles.size(), 0u);
    EXPECT_EQ(pool({"fluids[0].viscosity.method=none"}).fluids[0].viscosity.method, "none");
}

TEST(SceneRules, FluidForces) {
    const std::string viscosity = "fluids[0].viscosity.", tension = "fluids[0].surface_tension.";
    EXPECT_EQ(pool({viscosity + "walls=no-slip"}).fluids[0].viscosity.walls, "no-slip");
    EXPECT_EQ(refusal({viscosity + "walls=sticky"}),
              "pool.json: fluids[0].viscosity.walls: must be one of slip, no-slip; got 'sticky'");
    EXPECT_EQ(refusal({viscosity + "method=none", viscosity + "walls=no-slip"}),
              "pool.json: fluids[0].viscosity.walls: used only with method standard, implicit; "
              "here method is 'none'");
    EXPECT_EQ(refusal({viscosity + "strength=0.1"}),
              "pool.json: fluids[0].viscosity.strength: used only with method xsph; here method "
              "is 'standard'");
    EXPECT_EQ(refusal({viscosity + "method=xsph", viscosity + "strength=1.5"}),
              "pool.json: fluids[0].viscosity.strength: must be at most 1, got 1.5");
    EXPECT_EQ(pool({tension + "method=cohesion"}).fluids[0].surface_tension.sigma, 0.072);
    EXPECT_EQ(refusal({tension + "method=colour_field"}),
              "pool.json: fluids[0].surface_tension.method: must be one of none, color_field, "
              "cohesion; got 'colour_field'; did you mean 'color_field'?");
    EXPECT_EQ(refusal({tension + "sigma=1"}),
              "pool.json: fluids[0].surface_tension.sigma: used only with method color_field, "
              "cohesion; here method is 'none'");
    EXPECT_EQ(refusal({tension + "method=cohesion", tension + "sigma=-1"}),
              "pool.json: fluids[0].surface_tension.sigma: must be at least 0, got -1");
}

TEST(SceneRules, Boxes) {
    EXPECT_EQ(refusal({"fluids[0].fill[0].box.max=[1, 0, 1]"}),
              "pool.json: fluids[0].fill[0].box: min must be less than max along y, got 0 and 0");
    EXPECT_EQ(refusal({"boundaries[0].box.min=[3, 0, 0]"}),
              "pool.json: boundaries[0].box: min must be less than max along x, got 3 and 2");
    EXPECT_EQ(refusal({R"(domain={"min": [0, 0, 0], "max": [1, 1, -1]})"}),
              "pool.json: domain: min must be less than max along z, got 0 and -1");
    EXPECT_EQ(refusal_2d({R"(domain={"min": [-1, -1], "max": [1, 1]})"}), "");
}

TEST(SceneRules, AFillHoldsAtLeastOneParticle) {
    EXPECT_EQ(refusal({"fluids[0].fill[0].box.max=[1, 0.05, 1]"}),
              "pool.json: fluids[0].fill[0].box: no particle fits: along y the box is 0.05 m, less "
              "than the spacing 0.1 m");
    EXPECT_EQ(refusal({"fluids[0].fill[0].box.max=[0.1, 0.1, 0.1]"}), "");
    // one spacing, up to rounding
    EXPECT_EQ(refusal({"fluids[0].fill[0].box.min=[0.3, 0.3, 0.3]",
                       "fluids[0].fill[0].box.max=[0.4, 0.4, 0.4]"}),
              "");
    EXPECT_EQ(refusal_2d({"spacing=2"}),
              "pool.json: fluids[0].fill[0].box: no particle fits: along x the box is 1 m, less "
              "than the spacing 2 m");
}

TEST(SceneRules, OpenFaces) {
    EXPECT_EQ(pool({R"(boundaries[0].open=["+y", "-z"])"}).boundaries[0].open,
              (std::vector<std::string>{"+y", "-z"}));
    EXPECT_EQ(refusal({R"(boundaries[0].open=["top"])"}),
              "pool.json: boundaries[0].open[0]: must be one of -x, +x, -y, +y, -z, +z; got 'top'");
    EXPECT_EQ(refusal_2d({R"(boundaries[0].open=["+y", "+z"])"}),
              "pool.json: boundaries[0].open[1]: there is no face '+z' in 2D");
    EXPECT_EQ(refusal({R"(boundaries[0].open=["+y", "+y"])"}),
              "pool.json: boundaries[0].open[1]: '+y' is listed twice");
    EXPECT_EQ(refusal_2d({R"(boundaries[0].open=["-x", "+x", "-y", "+y"])"}),
              "pool.json: boundaries[0].open: every face is open, nothing is left of the boundary");
}

TEST(SceneRules, NamesDiffer) {
    const std::string box = R"("box": {"min": [0, 0, 0], "max": [1, 1, 1]})";
    const std::string fill = R"("fill": [{)" + box + "}]";
    EXPECT_EQ(refusal({"fluids=[{" + fill + "}, {" + fill + "}]"}),
              "pool.json: fluids[1].name: 'water' is already the name of fluids[0]");
    EXPECT_EQ(
        refusal({R"(boundaries=[{"name": "a", )" + box + R"(}, {"name": "a", )" + box + "}]"}),
        "pool.json: boundaries[1].name: 'a' is already the name of boundaries[0]");
    EXPECT_EQ(refusal({R"(probes=[{"name": "e", "type": "energy"}, {"name": "f", "type": "front"},
                                  {"name": "e", "type": "front"}])"}),
              "pool.json: probes[2].name: 'e' is already the name of probes[0]");
}

TEST(SceneRules, UnnamedBoundariesGetFreeNames) {
    const std::string box = R"("box": {"min": [0, 0, 0], "max": [1, 1, 1]})";
    const Scene scene =
        pool({"boundaries=[{" + box + R"(}, {"name": "boundary_0", )" + box + "}, {" + box + "}]"});
    EXPECT_EQ(scene.boundaries.at(0).name, "boundary_1");
    EXPECT_EQ(scene.boundaries.at(1).name, "boundary_0");
    EXPECT_EQ(scene.boundaries.at(2).name, "boundary_2");
}

TEST(SceneRules, NamesFitIntoFilesAndColumns) {
    EXPECT_EQ(pool({"name=Mühle 2.1_a-b"}).name, "Mühle 2.1_a-b");
    const std::string rule =
        R"( must not start with a dot nor have control characters or any of /\:*?"<>|,&, got )";
    EXPECT_EQ(refusal({"name=../../etc"}), "pool.json: name:" + rule + "'../../etc'");
    EXPECT_EQ(refusal({"fluids[0].name=a,b"}), "pool.json: fluids[0].name:" + rule + "'a,b'");
    EXPECT_EQ(refusal({"name="}), "pool.json: name: must not be empty, got ''");
    EXPECT_EQ(refusal({"name=" + std::string(101, 'a')}),
              "pool.json: name: must not be longer than 100 bytes, got '" + std::string(60, 'a') +
                  "...'");
    EXPECT_EQ(refusal({"name=\xff"}), "pool.json: name: must be UTF-8, got '\xff'");
}

TEST(SceneRules, Probes) {
    const auto with = [](const std::string& probe) {
        return std::vector<std::string>{"probes=[" + probe + "]"};
    };
    const Scene scene = pool(with(R"({"name": "h", "type": "height", "at": [0.5, 0.25]},
                                     {"name": "p", "type": "pressure", "at": [1, 2, 3]},
                                     {"name": "v", "type": "velocity", "at": [1, 2, 3]},
                                     {"name": "f", "type": "front", "axis": 2, "interval": 0.1},
                                     {"name": "e", "type": "energy"})"));
    EXPECT_EQ(scene.probes.at(0).at, (Vector{0.5, 0, 0.25}));
    EXPECT_EQ(scene.probes.at(1).at, (Vector{1, 2, 3}));
    EXPECT_EQ(scene.probes.at(3).axis, 2);
    EXPECT_EQ(scene.probes.at(3).interval, 0.1);
    EXPECT_EQ(pool_2d(with(R"({"name": "h", "type": "height", "at": [0.5]})")).probes.at(0).at,
              (Vector{0.5, 0, 0}));

    EXPECT_EQ(refusal(with(R"({"type": "energy"})")),
              "pool.json: probes[0].name: missing; required: the column in probes.csv; no two "
              "probes share one, and none is called `time`");
    EXPECT_EQ(refusal(with(R"({"name": "a"})")),
              "pool.json: probes[0].type: missing; required: what is measured");
    EXPECT_EQ(refusal(with(R"({"name": "a", "type": "hight"})")),
              "pool.json: probes[0].type: must be one of height, pressure, velocity, front, "
              "body, energy; got 'hight'; did you mean 'height'?");
    EXPECT_EQ(refusal(with(R"({"name": "a", "type": "height"})")),
              "pool.json: probes[0].at: missing; required where type is 'height': the point; of "
              "`height` the horizontal one, [x, z] in 3D and [x] in 2D [m]");
    EXPECT_EQ(refusal(with(R"({"name": "a", "type": "height", "at": [1, 2, 3]})")),
              "pool.json: probes[0].at: must have 2 numbers [x, z] in 3D, got 3");
    EXPECT_EQ(refusal_2d(with(R"({"name": "a", "type": "height", "at": [1, 2]})")),
              "pool.json: probes[0].at: must have 1 number [x] in 2D, got 2");
    EXPECT_EQ(refusal_2d(with(R"({"name": "a", "type": "height", "at": 1})")),
              "pool.json: probes[0].at: must be a list of 1 number [x], got 1");
    EXPECT_EQ(refusal(with(R"({"name": "a", "type": "pressure", "at": [1, 2]})")),
              "pool.json: probes[0].at: must have 3 numbers in 3D, got 2");
    EXPECT_EQ(refusal(with(R"({"name": "a", "type": "energy", "at": [1, 2, 3]})")),
              "pool.json: probes[0].at: used only with type height, pressure, velocity; here type "
              "is 'energy'");
    EXPECT_EQ(refusal(with(R"({"name": "a", "type": "energy", "axis": 1})")),
              "pool.json: probes[0].axis: used only with type front; here type is 'energy'");
    EXPECT_EQ(refusal(with(R"({"name": "a", "type": "front", "axis": 3})")),
              "pool.json: probes[0].axis: must be at most 2, got 3");
    EXPECT_EQ(refusal_2d(with(R"({"name": "a", "type": "front", "axis": 2})")),
              "pool.json: probes[0].axis: must be at most 1 in 2D, got 2");
    EXPECT_EQ(refusal(with(R"({"name": "a", "type": "energy", "interval": -1})")),
              "pool.json: probes[0].interval: must be at least 0, got -1");
    EXPECT_EQ(
        refusal(with(R"({"name": "time", "type": "energy"})")),
        "pool.json: probes[0].name: 'time' is the first column of probes.csv, choose another");
}

TEST(SceneRules, TimeStep) {
    EXPECT_EQ(refusal({"time_step.min=0.01"}),
              "pool.json: time_step.min: must be at most max (0.005), got 0.01");
    EXPECT_EQ(refusal({"time_step.mode=fixed"}),
              "pool.json: time_step.dt: missing; required where mode is 'fixed': the step [s]");
    EXPECT_EQ(refusal({"time_step.dt=0.001"}),
              "pool.json: time_step.dt: used only with mode fixed; here mode is 'cfl'");
    EXPECT_EQ(refusal({"time_step.mode=fixed", "time_step.dt=0"}),
              "pool.json: time_step.dt: must be greater than 0, got 0");
    EXPECT_EQ(pool({"time_step.mode=fixed", "time_step.dt=0.002"}).time_step.dt, 0.002);
    EXPECT_EQ(refusal({"time_step.sigma=0.01"}),
              "pool.json: time_step.sigma: used only with mode metropolis; here mode is 'cfl'");
    EXPECT_EQ(refusal({"time_step.mode=metropolis", "time_step.acceptance=1"}),
              "pool.json: time_step.acceptance: must be less than 1, got 1");
    EXPECT_EQ(pool({"time_step.mode=metropolis", "time_step.episode=9"}).time_step.episode, 9);
}

TEST(SceneRules, Pressure) {
    EXPECT_EQ(refusal({"pressure.min_iterations=101"}),
              "pool.json: pressure.min_iterations: must be at most max_iterations (100), got 101");
    EXPECT_EQ(refusal({"pressure.min_iterations=100"}), "");
}

TEST(SceneRules, TheCameraLooksSomewhere) {
    EXPECT_EQ(refusal({R"(camera={"position": [1, 1, 1], "target": [1, 1, 1]})"}),
              "pool.json: camera.target: must differ from position");
    EXPECT_EQ(refusal({R"(camera={"position": [1, 1, 1]})"}),
              "pool.json: camera.target: missing; required: the point it looks at [m]");
}

}  // namespace millrace::scene_test
