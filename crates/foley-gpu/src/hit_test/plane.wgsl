// Planes: a quadratic in t. Outlines are quadrilaterals or elliptical discs.

fn perp(a: vec2<f32>, b: vec2<f32>) -> f32 {
    return a.x * b.y - a.y * b.x;
}

// (u, v) of a point in a quadrilateral; see foley-hail's `bilinear`.
fn bilinear(c0: vec2<f32>, c1: vec2<f32>, c2: vec2<f32>, c3: vec2<f32>, p: vec2<f32>) -> vec2<f32> {
    let e = c1 - c0;
    let f = c3 - c0;
    let g = (c0 - c1) + (c2 - c3);
    let h = p - c0;
    let k0 = perp(h, e);
    let k1 = perp(e, f) + perp(h, g);
    let k2 = perp(g, f);
    let root = sqrt(max(k1 * k1 - 4.0 * k0 * k2, 0.0));
    let v = clamp(-2.0 * k0 / max(k1 + root, 1e-30), 0.0, 1.0);
    let side = e + g * v;
    return vec2(clamp(dot(h - f * v, side) / max(dot(side, side), 1e-30), 0.0, 1.0), v);
}

// The distance of a point inside the outline in metres, and its uv in yz.
fn in_outline(k: u32, q: vec3<f32>) -> vec3<f32> {
    let across = colliders[k].b.xyz;
    let along = colliders[k].c.xyz;
    let p = vec2(dot(across, q), dot(along, q));
    if colliders[k].kind == 1u {
        let inside = (1.0 - length(p)) / max(length(across), length(along));
        return vec3(inside, clamp(0.5 * (p + 1.0), vec2(0.0), vec2(1.0)));
    }
    let d = colliders[k].d;
    let e = colliders[k].e;
    var corner = array(d.xy, d.zw, e.xy, e.zw);
    var inside = 1e30;
    for (var i = 0u; i < 4u; i++) {
        let edge = corner[(i + 1u) & 3u] - corner[i];
        inside = min(inside, perp(edge, p - corner[i]) / length(edge));
    }
    return vec3(inside, bilinear(d.xy, d.zw, e.xy, e.zw, p));
}

// Upper bound of the uv change per metre.
fn uv_per_m(k: u32) -> f32 {
    if colliders[k].kind == 1u {
        return 0.5 * max(length(colliders[k].b.xyz), length(colliders[k].c.xyz));
    }
    let d = colliders[k].d;
    let e = colliders[k].e;
    let u = min(length(d.zw - d.xy), length(e.zw - e.xy));
    let v = min(length(e.xy - d.zw), length(d.xy - e.zw));
    return 2.0 / max(min(u, v), 1e-9);
}

// The crossings of a trajectory with a plane, as fractions of the interval.
fn plane_crossings(trajectory: Trajectory, times: vec2<f32>, origin: vec3<f32>, n: vec3<f32>) -> QuadraticCrossings {
    let span = times.y - times.x;
    return quadratic_crossings(
        dot(n, position_at(trajectory, times.x) - origin),
        dot(n, velocity_at(trajectory, times.x)) * span,
        0.5 * dot(n, emitter.acceleration) * span * span,
        emitter.margin,
    );
}

fn intersect_plane(k: u32, trajectory: Trajectory, times: vec2<f32>) {
    let n = colliders[k].a.xyz;
    let origin = colliders[k].origin.xyz;
    let span = times.y - times.x;
    let crossing = plane_crossings(trajectory, times, origin, n);
    for (var i = 0u; i < 2u; i++) {
        if !crossing.present[i] { continue; }
        let t = times.x + crossing.at[i] * span;
        let v = velocity_at(trajectory, t);
        let slack = emitter.margin + length(v) * crossing.uncertainty[i] * span;
        let at = in_outline(k, position_at(trajectory, t) - origin);
        let hit = Hit(t, k, at.yz, select(n, -n, dot(n, v) > 0.0));
        if accept_hit(hit, at.x, slack, vec2(slack * uv_per_m(k)), crossing.certain[i]) { return; }
    }
}
