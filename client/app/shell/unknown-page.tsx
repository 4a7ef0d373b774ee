import { Button } from '@mantine/core';
import { useMe } from '#client/lib/session.ts';
import { Link } from '#client/ui/link.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { wayHome } from './way-home.ts';

/** An unknown URL of the application (spec §2), for signed-in users, with a link to their own pages. */
export default function UnknownPage() {
  return (
    <>
      <PageHeader
        title="Oops! Page not found"
        titleLang="en"
        intro="L’indirizzo è sbagliato, oppure la pagina è stata spostata."
      />
      <Button component={Link} {...wayHome(useMe())} />
    </>
  );
}
