/** A link as the person opens it: at the address that the operator uses. */
export function wholeLink({ path }: { readonly path: string }): string {
  return new URL(path, location.origin).href;
}
