// When a parabola is inside a box, as foley-hail's `bvh::clip`: never too short an interval.

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
        // It turns; a mirror makes every turn a lowest point.
        if x2 < 0.0 {
            start = -start; speed = -speed; x2 = -x2; end = -end; lo = -high; hi = -low;
        }
        let lowest = start - speed * speed / (4.0 * x2);
        if lowest > hi || (start < lo && end < lo) { return NEVER; }
        let turn = times.x - speed / (2.0 * x2);
        let half = sqrt(max((hi - lowest) / x2, 0.0));
        return vec2(max(turn - half, times.x), min(turn + half, times.y));
    }
    if speed + end_speed < 0.0 {
        // A mirror makes every monotone motion rise.
        start = -start; speed = -speed; x2 = -x2; end = -end; lo = -high; hi = -low;
    }
    if end < lo || start > hi { return NEVER; }
    var enter = times.x;
    var leave = times.y;
    if start < lo { enter = clamp(times.x + rise_time(lo - start, speed, x2), times.x, times.y); }
    if end > hi { leave = clamp(times.x + rise_time(hi - start, speed, x2), times.x, times.y); }
    return vec2(enter, leave);
}

// The part of the times in which the flight may be in the box; NEVER if none.
fn clip(trajectory: Trajectory, lo: vec3<f32>, hi: vec3<f32>, within: vec2<f32>) -> vec2<f32> {
    var times = within;
    let half = 0.5 * emitter.acceleration;
    times = clip_axis(vec3(trajectory.position.z, trajectory.velocity.z, half.z), lo.z, hi.z, times);
    if times.x > times.y { return NEVER; }
    times = clip_axis(vec3(trajectory.position.x, trajectory.velocity.x, half.x), lo.x, hi.x, times);
    if times.x > times.y { return NEVER; }
    return clip_axis(vec3(trajectory.position.y, trajectory.velocity.y, half.y), lo.y, hi.y, times);
}
