/** Under which name a client calls the venue. */

/** A name or an address in brackets, and perhaps a port. */
const HOST = /^(\[[0-9a-f:.%]+\]|[a-z0-9._-]+?)\.?(?::[0-9]{1,5})?$/;

/** The name in a Host header, in small letters and without its port; empty for none. */
export function hostNameOf(host: string): string {
  const [, name = ''] = HOST.exec(host.toLowerCase()) ?? [];
  return name;
}
