//! The picture in a render pass of the program: an egui paint callback, a game engine.

use super::PictureRenderer;
use crate::GpuError;
use crate::device::kernel::bind_resources;
use crate::device::offscreen::{self, PipelineDescription, depth_state};
use derive_setters::Setters;
use std::fmt;
use wgpu::TextureFormat as Format;

/// The source of the shader.
pub(crate) const PASS: &str = concat!(include_str!("full_screen.wgsl"), include_str!("pass.wgsl"));

/// The attachments of a render pass of the program: one colour, and depth or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct PictureTarget {
    /// The format of the colour attachment.
    ///
    /// The picture looks the same in all of them. The GPU encodes colours for sRGB formats, the shader for
    /// other normalised formats (`Rgba8Unorm`, `Bgra8Unorm`, `Rgb10a2Unorm`), whose values are expected to
    /// be shown without conversion. Floating-point formats get linear light from 0 to 1 with the primaries
    /// of sRGB. Integer formats and formats with less than three colours are refused.
    pub colour: Format,
    /// Samples per pixel.
    pub samples: u32,
    /// The format of the depth or stencil attachment, which is neither tested nor written.
    #[setters(into)]
    pub depth: Option<Format>,
}

impl PictureTarget {
    /// Describes a pass with one sample per pixel and without depth.
    pub fn new(colour: Format) -> Self {
        Self { colour, samples: 1, depth: None }
    }

    fn validate(&self) -> Result<(), GpuError> {
        let float = |kind| matches!(kind, wgpu::TextureSampleType::Float { .. });
        let why = match self.colour {
            format if !format.has_color_aspect() => "it has no colours",
            format if format.components() < 3 => "it has less than three colours",
            format if !format.sample_type(None, None).is_some_and(float) => "it holds integers",
            _ => return Ok(()),
        };
        Err(GpuError::Target { target: *self, why: why.into() })
    }

    /// Returns the fragment shader that writes what the format expects.
    fn fragment_entry(&self) -> &'static str {
        match self.colour {
            Format::Rgba16Float
            | Format::Rgba32Float
            | Format::Rg11b10Ufloat
            | Format::Rgb9e5Ufloat => "linear_light",
            format if format.is_srgb() => "linear_light",
            _ => "srgb_encoded",
        }
    }
}

impl fmt::Display for PictureTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "colour {:?}, samples {}, depth ", self.colour, self.samples)?;
        match self.depth {
            Some(depth) => write!(f, "{depth:?}"),
            None => f.write_str("none"),
        }
    }
}

/// Draws the picture of a [`PictureRenderer`] into a render pass of the program.
///
/// ```no_run
/// use foley_gpu::{Camera, GpuError, GpuHail, PicturePass, PictureRenderer, PictureTarget, wgpu};
///
/// fn frame(
///     hail: &GpuHail,
///     encoder: &mut wgpu::CommandEncoder,
///     screen: &wgpu::TextureView,
/// ) -> Result<(), GpuError> {
///     // Once:
///     let mut renderer = PictureRenderer::new(hail, [800, 600])?;
///     let target = PictureTarget::new(screen.texture().format());
///     let picture = PicturePass::new(&renderer, target)?;
///
///     // Each frame:
///     renderer.prepare(hail, &Camera::default(), encoder)?;
///     let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
///         color_attachments: &[Some(wgpu::RenderPassColorAttachment {
///             view: screen,
///             depth_slice: None,
///             resolve_target: None,
///             ops: Default::default(),
///         })],
///         ..Default::default()
///     });
///     picture.draw(&mut pass);
///     Ok(())
/// }
/// ```
#[derive(Debug)]
pub struct PicturePass {
    pipeline: wgpu::RenderPipeline,
    group: wgpu::BindGroup,
}

impl PicturePass {
    /// Creates the pipeline for passes with such a target, on the device of the renderer.
    pub fn new(renderer: &PictureRenderer, target: PictureTarget) -> Result<Self, GpuError> {
        target.validate()?;
        let gpu = &*renderer.gpu;
        let depth = |format| depth_state(format, wgpu::CompareFunction::Always, false);
        let description = PipelineDescription {
            entries: ["over_viewport", target.fragment_entry()],
            vertex_buffers: &[],
            topology: wgpu::PrimitiveTopology::TriangleList,
            depth: target.depth.and_then(depth),
            samples: target.samples,
            colour: target.colour.into(),
        };
        let pipeline =
            offscreen::pipeline(gpu, PASS, &description).map_err(|error| match error {
                GpuError::NoDevice { why, .. } => GpuError::Target { target, why },
                other => other,
            })?;
        let bilinear = gpu.with_error_scopes(|device| {
            device.create_sampler(&wgpu::SamplerDescriptor {
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            })
        })?;
        let resources = [
            wgpu::BindingResource::TextureView(renderer.texture_view()),
            wgpu::BindingResource::Sampler(&bilinear),
        ];
        let group = bind_resources(gpu, &pipeline.get_bind_group_layout(0), resources)?;
        Ok(Self { pipeline, group })
    }

    /// Draws the picture over the whole viewport of a pass, within its scissor rectangle. The viewport may have
    /// another size than the picture, which is then scaled bilinearly.
    ///
    /// [`PictureRenderer::prepare`] must have been recorded earlier, in the same encoder or in one submitted
    /// before. The pipeline and bind group 0 of the pass are replaced.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        pass.draw(0..3, 0..1);
    }
}
