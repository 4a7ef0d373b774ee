/** Downloads `url`, named `name` unless the response names the file. */
export function saveLink(url: string, name = ''): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Saves `content` as a file named `name`. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  saveLink(url, name);
  // Most browsers have read the content by the next turn of the event loop, but not all, so revoke it later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
