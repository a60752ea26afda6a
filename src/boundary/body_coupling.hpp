#pragma once

#include <span>
#include <vector>

#include "boundary/boundary_particles.hpp"
#include "math/kernels/cubic_spline.hpp"

namespace millrace {

/// A force and a torque about the reference point, as the fluid sees them.
template <int D, class T = float>
struct Push {
    Vec<D, T> force = Vec<D, T>::all(0);
    Spin<D, T> torque = Spin<D, T>::all(0);
};

/// How an object gives way to a push: (a, alpha) = r (force, torque).
template <int D>
struct ObjectResponse {
    static constexpr int k_size = D + k_spin_size<D>;
    float r[k_size][k_size] = {};

    MILLRACE_HD Twist<D> of(const Push<D>& push) const {
        float in[k_size], out[k_size];
        for (int k = 0; k < k_size; ++k)
            in[k] = k < D ? push.force[k < D ? k : 0] : push.torque[k < D ? 0 : k - D];
        for (int k = 0; k < k_size; ++k) {
            out[k] = 0;
            for (int l = 0; l < k_size; ++l)
                out[k] += r[k][l] * in[l];
        }
        Twist<D> twist;
        for (int k = 0; k < D; ++k)
            twist.velocity[k] = out[k];
        for (int k = 0; k < k_spin_size<D>; ++k)
            twist.angular_velocity[k] = out[D + k];
        return twist;
    }
};

/// Fluid particle i within reach of a moving object b: with the samples k of b at r_k from its
/// reference point,
///
///     force  = sum_k V_k grad W_ik,    torque = sum_k r_k x V_k grad W_ik
///
/// is the push on b per Q_i = V_i p_i / delta_i^2 (S1 Eq. 4.9), and its product with the twist of b
/// is sum_k V_k v_k . grad W_ik. For the drag of viscous fluid, friction = sum_k V_k |F_ik| with
/// grad W = F x.
template <int D>
struct Contact {
    Push<D> push;
    float friction;
    std::uint32_t particle;
    std::uint32_t object;
};

/// What a pass over the fluid reads of moving objects.
template <int D>
struct CouplingView {
    const std::uint32_t* offset = nullptr;  ///< of a particle's contacts; null: nothing moves
    const Contact<D>* contacts = nullptr;
    const Twist<D>* predicted = nullptr;     ///< of the objects, at the end of the step
    const Twist<D>* acceleration = nullptr;  ///< of the objects, by the pressures
    const ObjectResponse<D>* response = nullptr;
    const float* stiffness = nullptr;  ///< of an object: sum over its contacts of |push|_R
    const Frame<D>* frames = nullptr;  ///< of the objects, at the start of the step

    /// How the object of a contact moves at a place, as if it reached there.
    MILLRACE_HD Vec<D> velocity_at(const Contact<D>& contact, const Vec<D>& x) const {
        const Frame<D>& frame = frames[contact.object];
        return frame.twist.velocity +
               spin_velocity(frame.twist.angular_velocity, x - frame.position);
    }

    /// sum_b over the objects near particle i of (push, twist of b)
    MILLRACE_HD float approach(std::uint32_t i, const Twist<D>* twists) const {
        float sum = 0;
        if (!offset)
            return sum;
        for (std::uint32_t c = offset[i]; c < offset[i + 1]; ++c) {
            const Contact<D>& contact = contacts[c];
            const Twist<D>& twist = twists[contact.object];
            sum += dot(contact.push.force, twist.velocity) +
                   dot(contact.push.torque, twist.angular_velocity);
        }
        return sum;
    }

    /// How strongly the objects near particle i give way to its Q: at least the diagonal element
    /// push^T R push, and enough for relaxed Jacobi steps of all contacts at once. An object adds
    /// R-weighted modes of rank 2 D or so to the system; with |push_i|_R sum_j |push_j|_R / 3 on
    /// the diagonal none of them is overshot.
    MILLRACE_HD float diagonal(std::uint32_t i) const {
        float sum = 0;
        if (!offset)
            return sum;
        for (std::uint32_t c = offset[i]; c < offset[i + 1]; ++c) {
            const float own2 = weight2(contacts[c]);
            sum += fmaxf(own2, sqrtf(own2) * stiffness[contacts[c].object] / 3.0f);
        }
        return sum;
    }

    /// push^T R push
    MILLRACE_HD float weight2(const Contact<D>& contact) const {
        const Twist<D> a = response[contact.object].of(contact.push);
        return fmaxf(0.0f, dot(a.velocity, contact.push.force) +
                               dot(a.angular_velocity, contact.push.torque));
    }
};

/// The part of the fluid's system of equations that moving objects have: how they carry particles
/// along, and how the pressures push them. Within a solve the objects give way to the pressures as
/// the fluid does, so that light bodies do not shake: the fluid need not wait for the next step to
/// see them go.
template <int D>
class BodyCoupling {
  public:
    explicit BodyCoupling(const Device& device);

    /// Finds the contacts of a step; `wall_neighbors` are those of the particles at `positions`.
    void find_contacts(const Device& device, std::size_t count, VectorView<D> positions,
                       const NeighborView<D>& wall_neighbors, const CubicSpline<D>& kernel,
                       const BoundaryParticles<D>& walls, std::span<const Frame<D>> frames);
    /// Takes contacts that were found elsewhere, those of particle i from offset[i] to
    /// offset[i + 1]. Objects have no frames then: for pressures, not for drag.
    void set_contacts(const Device& device, std::span<const Contact<D>> contacts,
                      std::span<const std::uint32_t> offset, std::size_t object_count);

    /// Twists that the objects would have at the end of the step without the fluid, and how they
    /// give way; one for every object. Sets the impulses to zero.
    void start(const Device& device, std::span<const Twist<D>> predicted,
               std::span<const ObjectResponse<D>> responses);

    /// The accelerations of the objects for Q = `unknowns`.
    void accelerate(const Device& device, const float* unknowns);
    /// Adds the accelerations' effect during dt to the predicted twists and to the impulses.
    void apply(const Device& device, float dt);
    /// Adds pushes that act besides the pressures, one for every contact.
    void add_pushes(const Device& device, const Buffer<Push<D>>& pushes, float dt);

    /// What the fluid did to the objects since `start` [N s].
    std::vector<Push<D, double>> impulses() const;
    /// How the objects move at the end of the step, as far as the fluid is concerned.
    std::vector<Twist<D>> predicted() const { return predicted_.to_host(); }

    std::size_t contact_count() const { return contact_count_; }
    CouplingView<D> view() const;
    std::size_t bytes() const;

  private:
    template <class Weigh>
    void sum_by_object(const Device& device, const Weigh& weigh);

    std::size_t object_count_ = 0, contact_count_ = 0;
    Buffer<std::uint32_t> counts_, offset_, keys_, start_, order_;
    Buffer<Contact<D>> contacts_;
    Buffer<Frame<D>> frames_;
    Buffer<Twist<D>> predicted_, acceleration_;
    Buffer<ObjectResponse<D>> response_;
    Buffer<float> stiffness_;
    Buffer<Push<D, double>> partial_, total_, impulse_;
};

}  // namespace millrace
