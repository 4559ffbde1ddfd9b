//! Why the index could not be used. None of it is the user's fault, and none keeps a command from answering.

use std::path::PathBuf;

use segno_store::StoreError;

/// Why the index could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The database refused.
    #[error("the index cannot be used: {0}")]
    Database(#[from] rusqlite::Error),
    /// What the database holds is not what was put into it.
    #[error("the index is damaged: {0}")]
    Damaged(&'static str),
    /// Its files cannot be made or read.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The sessions themselves cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What the functions of this crate return.
pub type Result<T> = std::result::Result<T, IndexError>;

impl IndexError {
    pub(crate) fn io(path: &std::path::Path, source: std::io::Error) -> Self {
        Self::Io {
            path: path.to_path_buf(),
            source,
        }
    }

    /// True when another process has kept the index for so long that it was not waited for.
    pub(crate) fn is_busy(&self) -> bool {
        use rusqlite::ErrorCode as Code;
        let Self::Database(rusqlite::Error::SqliteFailure(error, _)) = self else {
            return false;
        };
        matches!(error.code, Code::DatabaseBusy | Code::DatabaseLocked)
    }

    /// True when it is the database that failed, whatever the reason.
    pub(crate) fn is_database(&self) -> bool {
        matches!(self, Self::Database(_) | Self::Io { .. })
    }

    /// True when the file of the index is broken: a new one is as good.
    pub fn is_damage(&self) -> bool {
        use rusqlite::ErrorCode as Code;
        match self {
            Self::Database(rusqlite::Error::SqliteFailure(error, _)) => matches!(
                error.code,
                Code::DatabaseCorrupt
                    | Code::NotADatabase
                    | Code::Unknown
                    | Code::TypeMismatch
                    | Code::ConstraintViolation
                    | Code::SchemaChanged
                    | Code::SystemIoFailure
            ),
            Self::Damaged(_)
            | Self::Database(
                rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::QueryReturnedNoRows
                | rusqlite::Error::SqlInputError { .. },
            ) => true,
            _ => false,
        }
    }
}
