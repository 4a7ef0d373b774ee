import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_THEME } from '@mantine/core';
import { describe, expect, test } from 'vitest';
import { theme } from './mantine.ts';

type Scheme = 'light' | 'dark';

const css = ['tokens.css', 'application-tokens.css']
  .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
  .join('');

/** Value of a colour token, as #rrggbb, in one of the two schemes. */
function colorOf(token: string, scheme: Scheme): string {
  const value = new RegExp(`--${token}: ([^;]+);`).exec(css)?.[1];
  if (value === undefined) throw new Error(`there is no token --${token}`);
  const both = /^light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)$/.exec(value);
  const color = both ? both[scheme === 'light' ? 1 : 2] : value;
  if (!color || !/^#[0-9a-f]{6}$/.test(color)) throw new Error(`--${token} is not a plain colour: ${value}`);
  return color;
}

/** Relative luminance (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string, scheme: Scheme): number {
  const [lighter = 0, darker = 0] = [one, other]
    .map((token) => luminance(colorOf(token, scheme)))
    .sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

const surfaces = [
  'surface-page',
  'surface-raised',
  'surface-sand',
  'surface-sand-strong',
  'surface-sunken',
] as const;
const petrols = ['surface-petrol', 'surface-petrol-deep'] as const;
const texts = ['text', 'text-soft', 'text-link', 'text-accent', 'text-error', 'text-success'] as const;
const textsOnPetrol = ['text-on-petrol', 'text-on-petrol-soft', 'text-on-petrol-accent'] as const;
const fills = ['primary', 'accent', 'danger'] as const;
const states = ['blue', 'green', 'orange', 'red', 'neutral'] as const;

/** Every pair of text and background that the product may show. */
const textPairs = [
  ...texts.flatMap((text) => surfaces.map((surface) => [text, surface] as const)),
  ...textsOnPetrol.flatMap((text) => petrols.map((surface) => [text, surface] as const)),
  ...fills.flatMap((fill) => [
    [`on-fill-${fill}`, `fill-${fill}`] as const,
    [`on-fill-${fill}`, `fill-${fill}-hover`] as const,
  ]),
  ...states.map((state) => [`on-state-${state}`, `state-${state}`] as const),
];

/** Non-text contrast (WCAG 1.4.11): borders of controls, the focus ring, charts. */
const shapePairs = [
  ...(['line-control', 'focus', 'ink-petrol', 'fill-danger'] as const).flatMap((shape) =>
    surfaces.map((surface) => [shape, surface] as const),
  ),
  ...petrols.map((surface) => ['focus-on-petrol', surface] as const),
];

describe.each(['light', 'dark'] as const)('contrast in the %s scheme', (scheme) => {
  test.each(textPairs)('%s can be read on %s', (text, surface) => {
    expect(contrast(text, surface, scheme)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(shapePairs)('%s can be seen on %s', (shape, surface) => {
    expect(contrast(shape, surface, scheme)).toBeGreaterThanOrEqual(3);
  });

  test.each(['petrol', 'orange', 'red'])('a filled %s button can be read, also when hovered', (color) => {
    const button = theme.variantColorResolver?.({ color, variant: 'filled', theme: DEFAULT_THEME });
    const [fill = '', hover = '', text = ''] = [button?.background, button?.hover, button?.color].map(
      (value) => /^var\(--([\w-]+)\)$/.exec(value ?? '')?.[1],
    );
    expect(contrast(text, fill, scheme)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(text, hover, scheme)).toBeGreaterThanOrEqual(4.5);
  });
});

test('a focus ring has the full strength of its colour', () => {
  const client = join(import.meta.dirname, '../..');
  const rings = globSync('**/*.css', { cwd: client }).flatMap((file) =>
    [...readFileSync(join(client, file), 'utf8').matchAll(/outline(?:-color)?: (?!none)([^;]+);/g)].map(
      ([, ring = '']) => `${file}: ${ring}`,
    ),
  );
  expect(rings).toContain('ui/theme/base.css: 3px solid var(--focus)');
  expect(rings.filter((ring) => /color-mix|transparent/.test(ring))).toEqual([]);
});

test('every text colour is part of a pair', () => {
  const declared = [...css.matchAll(/--((?:text|on)-?[\w-]*): (?:light-dark\()?#/g)].map((match) => match[1]);
  const tested = new Set<string>(textPairs.map(([text]) => text));
  expect(declared.filter((token) => token !== undefined && !tested.has(token))).toEqual([]);
});
