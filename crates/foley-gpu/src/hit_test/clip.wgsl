// The time interval in which a parabola may be inside a box, as foley-hail's `bvh::clip`: never too short.

const NEVER = vec2<f32>(1.0, 0.0);

fn rise_time(rise: f32, v: f32, x2: f32) -> f32 {
    let sum = v + sqrt(max(v * v + 4.0 * x2 * rise, 0.0));
    return select(0.0, 2.0 * rise / sum, sum > 0.0);
}

fn clip_axis(motion: vec3<f32>, low: f32, high: f32, times: vec2<f32>) -> vec2<f32> {
    var x2 = motion.z;
    var speed = motion.y + 2.0 * x2 * times.x;
    let end_speed = motion.y + 2.0 * x2 * times.y;
    var start = motion.x + (motion.y + x2 * times.x) * times.x;
    var end = motion.x + (motion.y + x2 * times.y) * times.y;
    var lo = low;
    var hi = high;
    if speed * end_speed < 0.0 {
        // An extremum inside; mirroring makes it a minimum.
        if x2 < 0.0 {
            start = -start; speed = -speed; x2 = -x2; end = -end; lo = -high; hi = -low;
        }
        let lowest = start - speed * speed / (4.0 * x2);
        if lowest > hi || (start < lo && end < lo) { return NEVER; }
        let extremum = times.x - speed / (2.0 * x2);
        let half = sqrt(max((hi - lowest) / x2, 0.0));
        return vec2(max(extremum - half, times.x), min(extremum + half, times.y));
    }
    if speed + end_speed < 0.0 {
        // Mirroring makes every monotonic motion rise.
        start = -start; speed = -speed; x2 = -x2; end = -end; lo = -high; hi = -low;
    }
    if end < lo || start > hi { return NEVER; }
    var enter = times.x;
    var leave = times.y;
    if start < lo { enter = clamp(times.x + rise_time(lo - start, speed, x2), times.x, times.y); }
    if end > hi { leave = clamp(times.x + rise_time(hi - start, speed, x2), times.x, times.y); }
    return vec2(enter, leave);
}

// The part of the interval in which the trajectory may be in the box; NEVER if none.
fn clip(trajectory: Trajectory, lo: vec3<f32>, hi: vec3<f32>, within: vec2<f32>) -> vec2<f32> {
    var times = within;
    let half = 0.5 * emitter.acceleration;
    times = clip_axis(vec3(trajectory.position.z, trajectory.velocity.z, half.z), lo.z, hi.z, times);
    if times.x > times.y { return NEVER; }
    times = clip_axis(vec3(trajectory.position.x, trajectory.velocity.x, half.x), lo.x, hi.x, times);
    if times.x > times.y { return NEVER; }
    return clip_axis(vec3(trajectory.position.y, trajectory.velocity.y, half.y), lo.y, hi.y, times);
}
