import sharp from 'sharp';
import { pictureSchema } from '#contract/profile.ts';
import type { Visitor } from './client.ts';

/** Uploads `bytes` as the picture of `visitor`. */
export async function upload(visitor: Visitor, bytes: Uint8Array<ArrayBuffer>): Promise<Response> {
  const form = new FormData();
  form.set('file', new Blob([bytes]), 'foto.jpg');
  return visitor.request('/api/me/picture', { method: 'PUT', body: form });
}

/** A photo with metadata. */
export async function photo(width: number, height: number) {
  const image = sharp({ create: { width, height, channels: 3, background: '#0a5a69' } });
  const bytes = await image
    .withExif({ IFD0: { Copyright: 'segreto' } })
    .jpeg()
    .toBuffer();
  return new Uint8Array(bytes);
}

/** Uploads a photo. @returns its address */
export async function uploaded(visitor: Visitor): Promise<string> {
  const answer = await upload(visitor, await photo(60, 60));
  return pictureSchema.parse(await answer.json()).profilePicture;
}
