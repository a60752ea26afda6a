#include "scene/splishsplash_materials.hpp"

#include <algorithm>

#include "scene/text.hpp"

namespace millrace::scene_file::splishsplash {

namespace {

/// Parameters of a method: since 2.16 in a block of its own, before beside the others.
double parameter(Object& material, const Json& json, const char* block, const char* key,
                 double missing) {
    if (json.contains(block) && json.at(block).is_object() && json.at(block).contains(key)) {
        const Json& value = json.at(block).at(key);
        if (!value.is_number()) {
            material.fail(join_path(block, key), "must be a number, got " + shown(value));
        }
        return value.get<double>();
    }
    return material.number(key, missing);
}

constexpr const char* k_viscosity_blocks[] = {"",
                                              "Standard viscosity",
                                              "Bender and Koschier 2017",
                                              "Peer et al. 2015",
                                              "Peer et al. 2016",
                                              "Takahashi et al. 2015 (improved)",
                                              "Weiler et al. 2018"};

void read_viscosity(Object& material, const Json& json, Material& read) {
    Viscosity& viscosity = read.fluid.viscosity;
    const int method = material.whole("viscosityMethod", 1);
    const double xsph = parameter(material, json, "XSPH", "xsph", 0);
    if (method < 0 || method > 6) {
        material.fail("viscosityMethod",
                      "must be a number from 0 to 6, got " + std::to_string(method));
    }
    viscosity.method = method == 0 ? "none" : method == 1 ? "standard" : "implicit";
    const char* block = k_viscosity_blocks[method];
    const double value = std::max(0.0, parameter(material, json, block, "viscosity", 0.01));
    const double at_walls = parameter(material, json, block, "viscosityBoundary", 0);
    // methods 2 to 5 have a friction of their own at walls
    const bool sticks = at_walls > 0 || (method >= 2 && method <= 5);
    if (method != 0) {
        viscosity.nu = value;
        viscosity.walls = sticks ? "no-slip" : "slip";
        if (at_walls > 0 && at_walls != value) {
            material.warn("viscosityBoundary", "the fluid sticks to walls with its own viscosity");
        }
    }
    if (method >= 2 && method <= 4) {
        read.strain_damping = value;
        read.damps_globally = method != 2;  // Peer et al.
        read.method = block;
    } else if (method == 5) {
        material.warn("viscosityMethod", std::string(block) +
                                             ": implicit is used with the same nu = " +
                                             number_text(viscosity.nu) + " m^2/s");
    }
    if (xsph > 0 && method == 0) {
        viscosity.method = "xsph";
        viscosity.strength = std::min(1.0, xsph);
    } else if (xsph > 0) {
        material.warn("XSPH", "ignored: a fluid has one viscosity method");
    }
}

constexpr const char* k_tension_blocks[] = {"",
                                            "Becker & Teschner 2007",
                                            "Akinci et al. 2013",
                                            "He et al. 2014",
                                            "Jeske et al. 2023",
                                            "Zorilla, Ritter, et al. 2020"};

double sigma_of(int method, double value, double density, const TheirParticles& particles) {
    switch (method) {
        case 1:
            return becker_teschner_2007_sigma(value, density, particles);
        case 2:
            return akinci_2013_sigma(value, density, particles);
        case 4:
            return jeske_2023_sigma(value, particles);
        case 5:
            return zorilla_ritter_2020_sigma(value, particles);
        default:
            return value;
    }
}

void read_surface_tension(Object& material, const Json& json, const TheirParticles& particles,
                          Fluid& fluid) {
    SurfaceTension& tension = fluid.surface_tension;
    const int method = material.whole("surfaceTensionMethod", 0);
    if (method < 0 || method > 5) {
        material.fail("surfaceTensionMethod",
                      "must be a number from 0 to 5, got " + std::to_string(method));
    }
    if (method == 0) {
        return;
    }
    constexpr int k_he = 3, k_jeske = 4;
    const char* block = k_tension_blocks[method];
    const double value = std::max(0.0, parameter(material, json, block, "surfaceTension", 0.05));
    tension.method = method == k_he ? "color_field" : "cohesion";
    tension.sigma = rounded(sigma_of(method, value, fluid.density, particles));
    material.warn("surfaceTensionMethod",
                  std::string(block) + ": " + tension.method +
                      " is used with sigma = " + number_text(tension.sigma) + " N/m" +
                      (method == k_he ? ", though the coefficients of the methods differ" : ""));
    if (parameter(material, json, block, "surfaceTensionBoundary", 0) > 0) {
        material.warn("surfaceTensionBoundary", "ignored: walls do not attract the fluid");
    }
    const double nu = parameter(material, json, block, "surfaceTensionViscosity", 0);
    if (method == k_jeske && nu > 0 && fluid.viscosity.method == "none") {
        fluid.viscosity = {.method = "implicit", .nu = nu};
    } else if (method == k_jeske && nu > 0) {
        material.warn("surfaceTensionViscosity", "ignored: the fluid has another viscosity");
    }
}

/// Micropolar fluid and confinement; `vorticity` is the coefficient of both.
void read_vorticity(Object& material, const Json& json, Vorticity& vorticity) {
    const int method = material.whole("vorticityMethod", 0);
    if (method < 0 || method > 3) {
        material.fail("vorticityMethod",
                      "must be a number from 0 to 3, got " + std::to_string(method));
    }
    constexpr int k_micropolar = 1, k_confinement = 2;
    if (method == k_micropolar) {
        const char* block = "Bender et al. 2017";
        const double nu_t = parameter(material, json, block, "vorticity", 0.01);
        const double zeta = parameter(material, json, block, "viscosityOmega", 0.1);
        const double inverse = parameter(material, json, block, "inertiaInverse", 0.5);
        if (nu_t > 0 && inverse > 0) {
            vorticity.method = "micropolar";
            vorticity.nu_t = nu_t;
            vorticity.inertia = 1 / inverse;
            vorticity.smoothing = std::clamp(inverse * zeta, 0.0, 1.0);
        }
    } else if (method == k_confinement) {
        const double strength =
            parameter(material, json, "Vorticity confinement", "vorticity", 0.01);
        if (strength > 0) {
            vorticity.method = "confinement";
            vorticity.strength = strength;
        }
    } else if (method != 0) {
        material.warn("vorticityMethod", "ignored: Liu et al. 2021 is not available");
    }
}

/// Forces that we do not have.
void warn_of_forces(Object& material) {
    const auto check = [&](const char* key, const char* what) {
        if (material.whole(key, 0) != 0) {
            material.warn(key, std::string("ignored: ") + what + " is not available");
        }
    };
    check("dragMethod", "drag of the air");
    check("elasticityMethod", "elasticity");
    if (material.flag("emitterReuseParticles", false)) {
        material.warn("emitterReuseParticles", "ignored: emitters end with their last particle");
    }
}

constexpr const char* k_blocks[] = {"XSPH",
                                    "Standard viscosity",
                                    "Bender and Koschier 2017",
                                    "Peer et al. 2015",
                                    "Peer et al. 2016",
                                    "Takahashi et al. 2015 (improved)",
                                    "Weiler et al. 2018",
                                    "Becker & Teschner 2007",
                                    "Akinci et al. 2013",
                                    "He et al. 2014",
                                    "Jeske et al. 2023",
                                    "Zorilla, Ritter, et al. 2020",
                                    "Bender et al. 2017",
                                    "Vorticity confinement"};

/// Reports the keys of a block that no method has.
void read_block_keys(Object& material, const Json& json, const char* name, Log& log) {
    if (!material.has(name)) {
        return;
    }
    Object block(json.at(name), join_path(material.place(), name), log);
    block.know({"viscosity", "viscosityBoundary", "xsph", "surfaceTension",
                "surfaceTensionBoundary", "surfaceTensionViscosity", "vorticity", "viscosityOmega",
                "inertiaInverse"});
    block.skip({"xsphBoundary",
                "viscoMaxIter",
                "viscoMaxError",
                "viscoMaxIterOmega",
                "viscoMaxErrorOmega",
                "surfaceTensionMode",
                "surfaceTensionViscosityBoundary",
                "surfaceTensionMaxIter",
                "surfaceTensionMaxError",
                "surfaceTensionXSPH",
                "surfTZRversion",
                "surfTZRCsd",
                "surfTZRMCSamples",
                "surfTZRPcaMixCur",
                "surfTZRPcaMixNrm",
                "surfTZRd",
                "surfTZRnormal-mode",
                "surfTZRr-ratio",
                "surfTZRsampling",
                "surfTZRtau",
                "surfTZRtemporalSmooth",
                "surfTZRd-offset",
                "surfTZRNeighLimit",
                "surfTZRsmoothPasses"});
    block.finish();
}

}  // namespace

Material read_material(Object& object, const Json& json, const TheirParticles& particles,
                       Log& log) {
    Material material;
    material.place = object.place();
    Fluid& fluid = material.fluid;
    fluid.density = object.number("density0", 1000);
    if (!(fluid.density > 0)) {
        object.fail("density0", "must be greater than 0, got " + number_text(fluid.density));
    }
    read_viscosity(object, json, material);
    read_surface_tension(object, json, particles, fluid);
    read_vorticity(object, json, fluid.vorticity);
    warn_of_forces(object);
    const int most = object.whole("maxEmitterParticles", 10000);
    material.max_emitter_particles = static_cast<std::uint64_t>(std::max(1, most));
    object.skip({"colorField",
                 "colorMapType",
                 "renderMinValue",
                 "renderMaxValue",
                 "visible",
                 "emitterBoxMin",
                 "emitterBoxMax",
                 "emitterBoxMin0",
                 "emitterBoxMin1",
                 "emitterBoxMin2",
                 "emitterBoxMax0",
                 "emitterBoxMax1",
                 "emitterBoxMax2",
                 "viscoMaxIter",
                 "viscoMaxError",
                 "viscoMaxIterOmega",
                 "viscoMaxErrorOmega",
                 "drag",
                 "youngsModulus",
                 "poissonsRatio",
                 "alpha",
                 "fixedBoxMin",
                 "fixedBoxMax",
                 "xsphBoundary"});
    object.know({"viscosity", "viscosityBoundary", "surfaceTension", "surfaceTensionBoundary",
                 "surfaceTensionViscosity", "xsph", "vorticity", "viscosityOmega",
                 "inertiaInverse"});
    for (const char* block : k_blocks) {
        read_block_keys(object, json, block, log);
    }
    object.skip({"Liu et al. 2021", "Macklin et al. 2014", "Gissler et al. 2017",
                 "Becker et al. 2009", "Peer et al. 2018", "Kugelstadt et al. 2021"});
    object.finish();
    return material;
}

}  // namespace millrace::scene_file::splishsplash
