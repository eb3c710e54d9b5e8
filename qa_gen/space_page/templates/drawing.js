// WebGL 2: readings as squares, lines of any width, planes filled even-odd, dots. Everything else is HTML.
const POINTS = [`#version 300 es
layout(location=0) in vec3 seen; layout(location=1) in vec3 back; layout(location=2) in vec3 colour;
layout(location=3) in float size; layout(location=4) in float mirrored; layout(location=5) in float focus;
uniform mat4 view; uniform float share, pixels, tint, dimming; uniform vec3 paper, reflected;
out vec3 shade;
void main() {
  gl_Position = view * vec4(mix(seen, back, share), 1.);
  gl_PointSize = clamp(size * pixels / gl_Position.w, 1.5, 26.) * (focus > 1.5 ? 1.35 : 1.);
  vec3 c = mix(colour, reflected, mirrored * tint * (focus > 1.5 ? .15 : .38));
  float grey = dot(c, vec3(.3, .59, .11));
  shade = focus < .5 ? mix(mix(c, vec3(grey), .6), paper, dimming) : c;
  if (focus < -.5) gl_Position = vec4(2., 2., 2., 1.);
}`, `#version 300 es
precision mediump float; in vec3 shade; out vec4 colour;
void main() { colour = vec4(shade, 1.); }`];

const LINES = [`#version 300 es
layout(location=0) in vec3 a; layout(location=1) in vec3 b; layout(location=2) in vec4 ink; layout(location=3) in vec2 look;
uniform mat4 view; uniform vec2 size; uniform float fade, thickness;
out vec4 shade; out vec3 along;
void main() {
  vec4 p = view * vec4(a, 1.), q = view * vec4(b, 1.);
  const float near = .02;
  if (p.w < near && q.w < near) { gl_Position = vec4(2., 2., 2., 1.); return; }
  if (p.w < near) p = mix(q, p, (q.w - near) / (q.w - p.w));
  if (q.w < near) q = mix(p, q, (p.w - near) / (p.w - q.w));
  vec2 from = p.xy / p.w * size * .5, to = q.xy / q.w * size * .5;
  vec2 way = to - from; float length_px = length(way);
  way = length_px > 1e-4 ? way / length_px : vec2(1., 0.);
  float end = float(gl_VertexID & 1), side = float(gl_VertexID >> 1) * 2. - 1.;
  vec4 c = end < .5 ? p : q;
  c.xy += vec2(-way.y, way.x) * side * look.x * thickness / size * c.w;
  gl_Position = c;
  shade = vec4(ink.rgb, ink.a * fade);
  along = vec3(end * length_px * c.w, c.w, look.y * thickness);
}`, `#version 300 es
precision highp float; in vec4 shade; in vec3 along; out vec4 colour;
void main() {
  if (along.z > 0. && fract(along.x / along.y / along.z) > .55) discard;
  colour = vec4(shade.rgb * shade.a, shade.a);
}`];

const FILLS = [`#version 300 es
layout(location=0) in vec3 at; uniform mat4 view;
void main() { gl_Position = view * vec4(at, 1.); }`, `#version 300 es
precision mediump float; uniform vec4 ink; out vec4 colour;
void main() { colour = vec4(ink.rgb * ink.a, ink.a); }`];

const DOTS = [`#version 300 es
layout(location=0) in vec3 at; layout(location=1) in vec4 ink; layout(location=2) in float size;
uniform mat4 view; uniform float fade, thickness; out vec4 shade;
void main() { gl_Position = view * vec4(at, 1.); gl_PointSize = size * thickness; shade = vec4(ink.rgb, ink.a * fade); }`,
`#version 300 es
precision mediump float; in vec4 shade; out vec4 colour;
void main() {
  float off = length(gl_PointCoord - .5) * 2.;
  float a = shade.a * (1. - smoothstep(.82, 1., off));
  colour = vec4(mix(shade.rgb, vec3(1.), .85 * smoothstep(.62, .7, off)) * a, a);
}`];

const startDrawing = (canvas) => {
  const gl = canvas.getContext("webgl2", { antialias: true, stencil: true, alpha: false, preserveDrawingBuffer: true });
  if (!gl) return null;
  const program = ([vertex, fragment]) => {
    const made = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    const found = {};
    const count = gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS);
    for (let k = 0; k < count; k++) {
      const { name } = gl.getActiveUniform(made, k);
      found[name] = gl.getUniformLocation(made, name);
    }
    return { made, at: found };
  };
  const programs = { points: program(POINTS), lines: program(LINES), fills: program(FILLS), dots: program(DOTS) };
  const array = (layout, divisor) => {
    const vertices = gl.createVertexArray(), buffers = [];
    gl.bindVertexArray(vertices);
    layout.forEach(([size, type, normalised], place) => {
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, type, normalised, 0, 0);
      gl.vertexAttribDivisor(place, divisor);
      buffers.push(buffer);
    });
    gl.bindVertexArray(null);
    return { vertices, buffers, count: 0 };
  };
  const fill = (target, place, data) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, target.buffers[place]);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
  };
  const F = gl.FLOAT;
  const points = array([[3, F], [3, F], [3, gl.UNSIGNED_BYTE, true], [1, F], [1, F], [1, F]], 0);
  const lines = array([[3, F], [3, F], [4, F], [2, F]], 1);
  const dots = array([[3, F], [4, F], [1, F]], 0);
  const fans = array([[3, F]], 0);

  const drawFills = (planes, view) => {
    gl.useProgram(programs.fills.made);
    gl.uniformMatrix4fv(programs.fills.at.view, false, view);
    gl.bindVertexArray(fans.vertices);
    gl.depthMask(false);
    for (const plane of planes) {
      // Every pixel that a fan of a ring covers an odd number of times is inside.
      gl.enable(gl.STENCIL_TEST);
      for (const cover of [false, true]) {
        gl.colorMask(cover, cover, cover, cover);
        gl.stencilFunc(cover ? gl.EQUAL : gl.ALWAYS, 1, 1);
        const op = cover ? gl.ZERO : gl.INVERT;
        gl.stencilOp(op, op, op);
        gl.stencilMask(1);
        if (cover) gl.enable(gl.DEPTH_TEST);
        else gl.disable(gl.DEPTH_TEST);
        gl.uniform4fv(programs.fills.at.ink, plane.ink);
        for (const loop of plane.loops) {
          fill(fans, 0, new Float32Array(loop.flat()));
          gl.drawArrays(gl.TRIANGLE_FAN, 0, loop.length);
        }
      }
      gl.disable(gl.STENCIL_TEST);
    }
    gl.colorMask(true, true, true, true);
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
  };
  const drawInks = (which, kind, count, view, size, fade, thickness) => {
    if (!count) return;
    gl.useProgram(programs[kind].made);
    gl.uniformMatrix4fv(programs[kind].at.view, false, view);
    gl.uniform1f(programs[kind].at.fade, fade);
    gl.uniform1f(programs[kind].at.thickness, thickness);
    if (kind === "lines") gl.uniform2f(programs.lines.at.size, size[0], size[1]);
    gl.bindVertexArray(which.vertices);
    if (kind === "lines") gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
    else gl.drawArrays(gl.POINTS, 0, count);
  };
  // Drawn once where it is in plain sight, once faintly where something hides it.
  const drawTwice = (which, kind, view, size, thickness) => {
    gl.depthMask(false);
    gl.depthFunc(gl.GREATER);
    drawInks(which, kind, which.count, view, size, 0.3, thickness);
    gl.depthFunc(gl.LEQUAL);
    drawInks(which, kind, which.count, view, size, 1, thickness);
    gl.depthMask(true);
  };

  return {
    gl,
    setPoints: (cloud) => {
      [cloud.seen, cloud.back, cloud.colours, cloud.sizes, cloud.mirrored, cloud.focus].forEach((data, k) => fill(points, k, data));
      points.count = cloud.focus.length;
    },
    setFocus: (focus) => fill(points, 5, focus),
    setLines: (segments) => {
      const n = segments.length, from = new Float32Array(3 * n), to = new Float32Array(3 * n);
      const inks = new Float32Array(4 * n), looks = new Float32Array(2 * n);
      segments.forEach((one, k) => {
        from.set(one.a, 3 * k);
        to.set(one.b, 3 * k);
        inks.set(one.ink, 4 * k);
        looks.set([one.width ?? 1.5, one.dash ?? 0], 2 * k);
      });
      [from, to, inks, looks].forEach((data, k) => fill(lines, k, data));
      lines.count = n;
    },
    setDots: (found) => {
      fill(dots, 0, new Float32Array(found.flatMap((one) => one.at)));
      fill(dots, 1, new Float32Array(found.flatMap((one) => one.ink)));
      fill(dots, 2, new Float32Array(found.map((one) => one.size)));
      dots.count = found.length;
    },
    draw: ({ view, size, ratio, pixels, share, paper, reflected, showPoints, tint, dimming, planes }) => {
      gl.viewport(0, 0, size[0], size[1]);
      gl.clearColor(paper[0], paper[1], paper[2], 1);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
      gl.enable(gl.DEPTH_TEST);
      gl.depthFunc(gl.LEQUAL);
      gl.disable(gl.BLEND);
      if (showPoints && points.count) {
        const { made, at } = programs.points;
        gl.useProgram(made);
        gl.uniformMatrix4fv(at.view, false, view);
        gl.uniform1f(at.share, share);
        gl.uniform1f(at.pixels, pixels);
        gl.uniform1f(at.tint, tint);
        gl.uniform1f(at.dimming, dimming);
        gl.uniform3fv(at.paper, paper);
        gl.uniform3fv(at.reflected, reflected);
        gl.bindVertexArray(points.vertices);
        gl.drawArrays(gl.POINTS, 0, points.count);
      }
      gl.enable(gl.BLEND);
      gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
      drawFills(planes, view);
      drawTwice(lines, "lines", view, size, ratio);
      drawTwice(dots, "dots", view, size, ratio);
    },
  };
};
