import type { MetaDescriptor } from 'react-router';
import { provider } from '#provider';

const { siteUrl } = provider;

/**
 * The head elements of a public page.
 * @param path absolute path of the page, as in `publicPaths`
 * @param title without the product's name, which is added
 * @param jsonLd schema.org objects, one data block each
 */
export function pageMeta({
  path,
  title,
  description,
  jsonLd = [],
}: {
  path: string;
  title: string;
  description: string;
  jsonLd?: Record<string, unknown>[];
}): MetaDescriptor[] {
  const url = `${siteUrl}${path}`;
  return [
    { title: `${title} · ${provider.name}` },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: url },
    { property: 'og:type', content: 'website' },
    { property: 'og:locale', content: 'it_IT' },
    { property: 'og:site_name', content: provider.name },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: url },
    { property: 'og:image', content: `${siteUrl}/social-card.png` },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { property: 'og:image:alt', content: `${provider.name}: ${provider.tagline}` },
    { name: 'twitter:card', content: 'summary_large_image' },
    ...jsonLd.map((data) => ({ 'script:ld+json': { '@context': 'https://schema.org', ...data } })),
  ];
}

/** The provider as structured data for search engines. */
export function organizationJsonLd() {
  return {
    '@type': 'Organization',
    name: provider.name,
    legalName: provider.legalName,
    url: `${siteUrl}/`,
    logo: `${siteUrl}/icon-512.png`,
    email: provider.contactEmail,
    address: {
      '@type': 'PostalAddress',
      streetAddress: provider.address.street,
      postalCode: provider.address.postalCode,
      addressLocality: provider.address.city,
      addressCountry: provider.address.country,
    },
    contactPoint: {
      '@type': 'ContactPoint',
      contactType: 'customer support',
      telephone: provider.support.phone,
      email: provider.support.email,
      availableLanguage: 'it',
    },
  };
}
