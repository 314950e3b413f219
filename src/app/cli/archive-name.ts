/** Which names mean a backup in one file. */

const ARCHIVE = /\.tar(\.gz)?$/;

export function isArchive(name: string): boolean {
  return ARCHIVE.test(name);
}
