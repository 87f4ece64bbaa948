// Spheres, cylinders and cones: a quartic in t for a parabola.

fn intersect_quadric(k: u32, trajectory: Trajectory, times: vec2<f32>) {
    let frame = transpose(mat3x3(colliders[k].a.xyz, colliders[k].b.xyz, colliders[k].c.xyz));
    let origin = colliders[k].origin.xyz;
    let form = colliders[k].d.xyz;
    let heights = colliders[k].e.xy;
    let tall = heights.y - heights.x;
    let span = times.y - times.x;
    let w = vec3(1.0, 1.0, form.x);
    // q(s) = q0 + q1 s + q2 s²
    let q0 = frame * (position_at(trajectory, times.x) - origin);
    let q1 = (frame * velocity_at(trajectory, times.x)) * span;
    let q2 = (frame * emitter.acceleration) * (0.5 * span * span);
    let p = Polynomial(vec4(
        dot(w * q0, q0) + form.y * q0.z + form.z,
        2.0 * dot(w * q0, q1) + form.y * q1.z,
        dot(w * q1, q1) + 2.0 * dot(w * q0, q2) + form.y * q2.z,
        2.0 * dot(w * q1, q2),
    ), dot(w * q2, q2));
    let found = crossings(p, colliders[k].origin.w);
    for (var i = 0u; i < found.count; i++) {
        let s = found.at[i];
        let t = times.x + s * span;
        let q = q0 + (q1 + q2 * s) * s;
        let velocity = velocity_at(trajectory, t);
        let slack = emitter.margin + length(velocity) * found.uncertainty[i] * span;
        let v = (q.z - heights.x) / tall;
        let turns_ = atan2_turns(q.y, q.x);
        let u = select(turns_, turns_ + 1.0, turns_ < 0.0);
        let uv = clamp(vec2(u, v), vec2(0.0), vec2(1.0));
        let around = slack / max(6.2831853 * length(q.xy), 1e-9);
        let gradient = vec3(q.xy, form.x * q.z + 0.5 * form.y);
        let n = gradient * frame / max(length(gradient), 1e-20);
        let hit = Hit(t, k, uv, select(n, -n, dot(n, velocity) > 0.0));
        let inside = min(v, 1.0 - v) * tall;
        if accept_hit(hit, inside, slack, vec2(around, slack / tall), found.certain[i]) { return; }
    }
}

// The angle in turns, to a few units in the last place; the built-in atan2 may be wrong by 4096.
fn atan2_turns(y: f32, x: f32) -> f32 {
    let ax = abs(x);
    let ay = abs(y);
    let large = max(ax, ay);
    if large == 0.0 { return 0.0; }
    let ratio = min(ax, ay) / large;
    // One Newton step from the built-in: with w near atan r, w + (r cos w − sin w)/(r sin w + cos w).
    let guess = atan(ratio) * 0.15915494309;
    let sc = sin_cos_turns(guess);
    var turns_ = guess + 0.15915494309 * (ratio * sc.y - sc.x) / (ratio * sc.x + sc.y);
    if ay > ax { turns_ = 0.25 - turns_; }
    if x < 0.0 { turns_ = 0.5 - turns_; }
    return select(turns_, -turns_, y < 0.0);
}
