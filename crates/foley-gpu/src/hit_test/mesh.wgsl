// Triangles, and the BVH of a mesh.

fn intersect_triangle(k: u32, number: u32, trajectory: Trajectory, times: vec2<f32>) {
    let triangle = triangles[number];
    let ab = triangle.ab;
    let ac = triangle.ac;
    let cross_ = cross(ab, ac);
    let twice_area = length(cross_);
    let n = cross_ / twice_area;
    let span = times.y - times.x;
    let crossing = plane_crossings(trajectory, times, triangle.corner, n);
    for (var i = 0u; i < 2u; i++) {
        if !crossing.present[i] { continue; }
        let t = times.x + crossing.at[i] * span;
        let v = velocity_at(trajectory, t);
        let slack = emitter.margin + length(v) * crossing.uncertainty[i] * span;
        let q = position_at(trajectory, t) - triangle.corner;
        let b = dot(cross(q, ac), n) / twice_area;
        let c = dot(cross(ab, q), n) / twice_area;
        let heights = twice_area / vec3(length(ac), length(ab), length(ac - ab));
        let inside = vec3(b, c, 1.0 - b - c) * heights;
        // Two triangles per cell of the uv grid.
        let cell = triangle.number / 2u;
        let columns = colliders[k].columns;
        let part = select(vec2(1.0 - b, 1.0 - c), vec2(b, c), (triangle.number & 1u) == 0u);
        let cells = vec2(f32(columns), f32(colliders[k].tree.z));
        let at = vec2(f32(cell % columns), f32(cell / columns));
        let uv = (at + clamp(part, vec2(0.0), vec2(1.0))) / cells;
        let hit = Hit(t, k, uv, select(n, -n, dot(n, v) > 0.0));
        let least = min(inside.x, min(inside.y, inside.z));
        if accept_hit(hit, least, slack, slack / heights.xy / cells, crossing.certain[i]) { return; }
    }
}

fn intersect_mesh(k: u32, trajectory: Trajectory, within: vec2<f32>) {
    var i = colliders[k].tree.x;
    let end = colliders[k].tree.y;
    while i < end {
        let at = visit(i, trajectory, vec2(within.x, min(within.y, nearest.t)));
        for (var j = at.link; j < at.link + at.count; j++) {
            intersect_triangle(k, j, trajectory, at.times);
        }
        i = at.next;
    }
}
