/** The name of a table for screen readers, whose title is in sight above it, if it has one. */
export function TableCaption({ children }: { children: string }) {
  return <caption className="visually-hidden">{children}</caption>;
}
