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

void read_viscosity(Object& material, const Json& json, double density, Viscosity& viscosity) {
    const int method = material.whole("viscosityMethod", 0);
    const double xsph = parameter(material, json, "XSPH", "xsph", 0);
    if (method < 0 || method > 6) {
        material.fail("viscosityMethod",
                      "must be a number from 0 to 6, got " + std::to_string(method));
    }
    viscosity.method = method == 0 ? "none" : method == 1 ? "standard" : "implicit";
    const char* block = k_viscosity_blocks[method];
    const double value = std::max(0.0, parameter(material, json, block, "viscosity", 0.01));
    const double at_walls = parameter(material, json, block, "viscosityBoundary", 0);
    if (method != 0) {
        viscosity.nu = method == 5 ? value / density : value;
        viscosity.walls = at_walls > 0 ? "no-slip" : "slip";
        if (at_walls > 0 && at_walls != value) {
            material.warn("viscosityBoundary", "the fluid sticks to walls with its own viscosity");
        }
    }
    if (method >= 2 && method <= 5) {
        material.warn("viscosityMethod",
                      std::string(block) + " is not available; implicit is used with nu = " +
                          number_text(viscosity.nu) + " m^2/s" +
                          (method == 5 ? "" : ", though its viscosity is no physical quantity"));
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

void read_surface_tension(Object& material, const Json& json, SurfaceTension& tension) {
    const int method = material.whole("surfaceTensionMethod", 0);
    if (method < 0 || method > 5) {
        material.fail("surfaceTensionMethod",
                      "must be a number from 0 to 5, got " + std::to_string(method));
    }
    const char* block = k_tension_blocks[method];
    const double value = parameter(material, json, block, "surfaceTension", 0.05);
    if (method != 0) {
        tension.method = method <= 2 ? "cohesion" : "color_field";
        tension.sigma = std::max(0.0, value);
        material.warn("surfaceTensionMethod",
                      std::string(block) + ": " + tension.method +
                          " is used with sigma = " + number_text(tension.sigma) +
                          " N/m, though the coefficients of the methods differ");
    }
}

/// Forces that we do not have.
void warn_of_forces(Object& material) {
    const auto check = [&](const char* key, const char* what) {
        if (material.whole(key, 0) != 0) {
            material.warn(key, std::string("ignored: ") + what + " is not available");
        }
    };
    check("vorticityMethod", "vorticity");
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
                                    "Zorilla, Ritter, et al. 2020"};

/// Reports the keys of a block that no method has.
void read_block_keys(Object& material, const Json& json, const char* name, Log& log) {
    if (!material.has(name)) {
        return;
    }
    Object block(json.at(name), join_path(material.place(), name), log);
    block.know({"viscosity", "viscosityBoundary", "xsph", "surfaceTension"});
    block.skip({"xsphBoundary",
                "viscoMaxIter",
                "viscoMaxError",
                "viscoMaxIterOmega",
                "viscoMaxErrorOmega",
                "surfaceTensionBoundary",
                "surfaceTensionViscosity",
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
                "surfTZRtemporalSmooth"});
    block.finish();
}

}  // namespace

Material read_material(Object& object, const Json& json, Log& log) {
    Material material;
    Fluid& fluid = material.fluid;
    fluid.density = object.number("density0", 1000);
    if (!(fluid.density > 0)) {
        object.fail("density0", "must be greater than 0, got " + number_text(fluid.density));
    }
    read_viscosity(object, json, fluid.density, fluid.viscosity);
    read_surface_tension(object, json, fluid.surface_tension);
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
                 "surfaceTensionBoundary",
                 "viscoMaxIter",
                 "viscoMaxError",
                 "viscoMaxIterOmega",
                 "viscoMaxErrorOmega",
                 "vorticity",
                 "viscosityOmega",
                 "inertiaInverse",
                 "drag",
                 "youngsModulus",
                 "poissonsRatio",
                 "alpha",
                 "fixedBoxMin",
                 "fixedBoxMax",
                 "xsphBoundary"});
    object.know({"viscosity", "viscosityBoundary", "surfaceTension", "xsph"});
    for (const char* block : k_blocks) {
        read_block_keys(object, json, block, log);
    }
    object.skip({"Bender et al. 2017", "Vorticity confinement", "Liu et al. 2021",
                 "Macklin et al. 2014", "Gissler et al. 2017", "Becker et al. 2009",
                 "Peer et al. 2018", "Kugelstadt et al. 2021"});
    object.finish();
    return material;
}

}  // namespace millrace::scene_file::splishsplash
