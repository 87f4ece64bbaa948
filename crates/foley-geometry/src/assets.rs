//! Asset loader: gives the bytes of the files that scenes and meshes name, from a folder, from
//! memory, or from whatever a program implements it for (archives, browsers, game engines).

mod folder;
mod memory;
mod recording;

pub use folder::FolderLoader;
pub use memory::MemoryLoader;
pub use recording::RecordingLoader;

use crate::bounded_read::ReadError;
use std::borrow::Cow;
use std::fmt;
use std::io::{Cursor, Read, Seek};
use std::path::Path;

/// Gives the bytes of files by their paths.
///
/// ```
/// use foley_geometry::assets::{AssetLoader, MemoryLoader};
/// use std::path::Path;
/// let assets = MemoryLoader::default().with("bells/bell.obj", b"v 0 0 0".to_vec());
/// assert_eq!(&*assets.load(Path::new("bells/./bell.obj"), 100)?, b"v 0 0 0");
/// let error = assets.load(Path::new("bells/bell.obj"), 6).unwrap_err();
/// assert!(error.to_string().contains("the file has 7 bytes; more than 6 are never read"));
/// # Ok::<(), foley_geometry::bounded_read::ReadError>(())
/// ```
pub trait AssetLoader: fmt::Debug + Send + Sync {
    /// Returns the content of a file of at most `limit` bytes.
    fn load(&self, path: &Path, limit: u64) -> Result<Cow<'_, [u8]>, ReadError>;

    /// Checks that a file exists. The default loads it.
    fn check(&self, path: &Path) -> Result<(), ReadError> {
        self.load(path, u64::MAX).map(drop)
    }

    /// Opens a file that is read in parts. The default loads it.
    fn open(&self, path: &Path) -> Result<Box<dyn AssetReader>, ReadError> {
        Ok(Box::new(Cursor::new(self.load(path, u64::MAX)?.into_owned())))
    }

    /// Loads the file `name` below `folder`; `name` has no `..`. A loader with links refuses those
    /// that lead out of the folder with [`ReadCause::Outside`](crate::bounded_read::ReadCause).
    fn load_below(
        &self,
        folder: &Path,
        name: &Path,
        limit: u64,
    ) -> Result<Cow<'_, [u8]>, ReadError> {
        self.load(&folder.join(name), limit)
    }
}

/// An open file.
pub trait AssetReader: Read + Seek + Send + Sync {}

impl<T: Read + Seek + Send + Sync> AssetReader for T {}
