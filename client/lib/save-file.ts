/** Has the browser download `url`, under `name` unless the answer names the file. */
export function saveLink(url: string, name = ''): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Hands `content` to the browser to be saved under `name`, as a link with `download` would. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  saveLink(url, name);
  // The browser has taken hold of the content by the next turn of the event loop, but not all do so at once.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
