/**
 * `npm run brand`: creates the icons and the social card in `client/site/public` from the product's drawings. Run it after
 * changing the mark, the crane scene, the name or the tagline, and commit the result.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import sharp from 'sharp';
import { provider } from '#provider';
import { chromiumLaunchOptions, ensureChromium } from './chromium.ts';

const project = join(import.meta.dirname, '..');
const target = join(project, 'client/site/public');
const mark = await readFile(join(target, 'favicon.svg'), 'utf8');
// Phones round the corners themselves, and crop maskable icons further.
const square = mark.replace(' rx="7"', '');
const maskable = square.replace('viewBox="0 0 32 32"', 'viewBox="-5 -5 42 42" style="background:#0a4350"');

function png(svg: string, size: number): Promise<Buffer> {
  return sharp(Buffer.from(svg), { density: (72 * size) / 16 })
    .resize(size, size)
    .flatten(svg === mark ? false : { background: '#0a4350' })
    .png({ compressionLevel: 9, palette: true })
    .toBuffer();
}

/** An .ico of one PNG image, which every browser since Internet Explorer 11 reads. */
function ico(image: Buffer, size: number): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(image.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, image]);
}

async function socialCard(): Promise<Buffer> {
  const font = (path: string) => pathToFileURL(join(project, 'node_modules/@fontsource-variable', path)).href;
  const page = `<!doctype html><html lang="it"><style>
    @font-face { font-family: H; font-weight: 200 800; src: url("${font('bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2')}"); }
    @font-face { font-family: T; font-weight: 100 900; src: url("${font('inter/files/inter-latin-wght-normal.woff2')}"); }
    body { margin: 0; width: 1200px; height: 630px; overflow: hidden; background: #0a4350; color: #fffaf0; position: relative; }
    .brand { position: absolute; left: 72px; top: 64px; display: flex; gap: 18px; align-items: center; font: 700 44px H; letter-spacing: -.035em; }
    .brand svg { width: 64px; height: 64px; }
    h1 { position: absolute; left: 72px; top: 208px; margin: 0; font: 700 92px/1 H; letter-spacing: -.03em; }
    h1 span { display: block; color: #ffb27a; }
    p { position: absolute; left: 72px; top: 506px; width: 480px; margin: 0; font: 400 28px/1.4 T; color: #c3dadc; }
    img { position: absolute; right: 24px; bottom: 0; height: 590px; }
  </style><div class="brand">${mark.replaceAll('#0a4350', '#0f6475')}${provider.name}</div>
  <h1>Il cantiere<br>è lontano.<span>Il letto no.</span></h1><p>${provider.tagline}.</p>
  <img src="${pathToFileURL(join(project, 'client/site/scenes/crane-and-bed.svg')).href}" alt=""></html>`;
  // Written to a file, because a page without an address may not load fonts and pictures from files.
  const folder = await mkdtemp(join(tmpdir(), 'social-card-'));
  const file = join(folder, 'card.html');
  await writeFile(file, page);
  const browser = await chromium.launch(chromiumLaunchOptions());
  try {
    const tab = await browser.newPage({ viewport: { width: 1200, height: 630 } });
    await tab.goto(pathToFileURL(file).href);
    await tab.evaluate('document.fonts.ready');
    return await sharp(await tab.screenshot())
      .png({ compressionLevel: 9, palette: true, quality: 90 })
      .toBuffer();
  } finally {
    await browser.close();
    await rm(folder, { recursive: true });
  }
}

await ensureChromium();
await writeFile(join(target, 'favicon.ico'), ico(await png(mark, 32), 32));
await writeFile(join(target, 'apple-touch-icon.png'), await png(square, 180));
await writeFile(join(target, 'icon-192.png'), await png(mark, 192));
await writeFile(join(target, 'icon-512.png'), await png(mark, 512));
await writeFile(join(target, 'icon-maskable-512.png'), await png(maskable, 512));
await writeFile(join(target, 'social-card.png'), await socialCard());
