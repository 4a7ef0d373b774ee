import { Button, Group, Stack } from '@mantine/core';
import { IconLock, IconMail, IconUserPlus, IconUsers } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { Refused } from '#client/app/shell/refused.tsx';
import { useAddressFilters, useAddressSearch } from '#client/lib/address-filters.ts';
import { useKeptState } from '#client/lib/kept-forms.ts';
import { rowsOf } from '#client/lib/list-pages.ts';
import { useDistinctNames } from '#client/lib/namesakes.ts';
import { useMe } from '#client/lib/session.ts';
import { Badge } from '#client/ui/badge.tsx';
import { breakable } from '#client/ui/breakable.tsx';
import { DataTable } from '#client/ui/data-table.tsx';
import type { Column } from '#client/ui/data-table-row.tsx';
import { RowsSkeleton } from '#client/ui/list-skeletons.tsx';
import { EmptyState, Loaded } from '#client/ui/list-states.tsx';
import { LoadMore } from '#client/ui/load-more.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { SearchInput } from '#client/ui/search-input.tsx';
import { formatDateTime } from '#contract/dates.ts';
import { figure } from '#contract/figures.ts';
import { ROLE_LABELS, USERS_TEXTS, type User } from '#contract/users.ts';
import { AccountFilter } from './account-filter.tsx';
import { usersQuery } from './api.ts';
import { NewUserDialog } from './new-user-dialog.tsx';
import { UserActions } from './user-actions.tsx';
import { UserDialogs } from './user-dialogs.tsx';

/** @param narrow below each other, as a column has no room for two */
function RoleBadge({ user, narrow = false }: { user: User; narrow?: boolean }) {
  return (
    <Group gap="xs" w={narrow ? 'min-content' : undefined}>
      <Badge tone={user.role === 'admin' ? 'blue' : 'gray'}>{ROLE_LABELS[user.role]}</Badge>
      {user.suspended && (
        <Badge tone="red" icon={IconLock}>
          Sospeso
        </Badge>
      )}
      {!user.emailVerified && (
        <Badge tone="orange" icon={IconMail}>
          Email da confermare
        </Badge>
      )}
    </Group>
  );
}

const nameOf = (user: User) => user.fullName || 'N/A';
const emailOf = ({ email }: User) => email;
const roleOf = (user: User) => <RoleBadge user={user} />;

const columns: Column<User>[] = [
  { key: 'name', header: 'Nome', cell: nameOf, tableOnly: true },
  { key: 'email', header: 'Email', cell: (user) => breakable(user.email || 'N/A') },
  { key: 'company', header: 'Azienda', cell: (user) => user.companyName ?? '—' },
  { key: 'role', header: 'Ruolo', cell: (user) => <RoleBadge user={user} narrow />, tableOnly: true },
  {
    key: 'created',
    header: 'Data creazione',
    nowrap: true,
    cell: (user) => formatDateTime(user.createdAt),
  },
];

/** User management (spec §2), for administrators; others get a toast and are redirected to Home. */
export default function UsersPage() {
  const { permissions } = useMe();
  return permissions.manageUsers ? (
    <UserDialogs>
      <Users />
    </UserDialogs>
  ) : (
    <Refused />
  );
}

/** Apart from the list, so that a letter does not render it. */
function UserSearch() {
  const { typed, setTyped } = useAddressSearch();
  return (
    <search>
      <SearchInput
        aria-label="Cerca utenti"
        placeholder="Cerca utenti..."
        maw={{ lg: 420 }}
        value={typed}
        onChange={setTyped}
      />
    </search>
  );
}

function Users() {
  const [parameters] = useAddressFilters();
  const search = parameters.get('cerca') ?? '';
  /** Only come to from what leads to one account. */
  const id = parameters.get('utente') || undefined;
  const onlyOne = id !== undefined && search === '';
  const [creating, setCreating] = useKeptState('new user', false);
  const query = useInfiniteQuery(usersQuery({ search, id }));
  /** Whether what is shown was found by a search: once that is removed, it stays until the answer. */
  const searched = search !== '' || id !== undefined || query.isPlaceholderData;
  const users = useMemo(() => rowsOf(query.data?.pages ?? []), [query.data]);
  const distinctName = useDistinctNames(users, nameOf, emailOf);
  const actions = useCallback(
    (user: User) => <UserActions user={user} name={distinctName(user)} />,
    [distinctName],
  );
  // The total over all accounts, whatever the search; without a search it is the same query.
  const everybody = useInfiniteQuery(usersQuery({ search: '' }));
  const total = everybody.data?.pages[0]?.total;

  return (
    <>
      <PageHeader
        title="Gestione Utenti"
        intro={
          total === undefined ? 'Gli account di clienti e amministratori.' : `Totale utenti: ${figure(total)}`
        }
        actions={
          <Button
            leftSection={<IconUserPlus size={20} aria-hidden="true" />}
            onClick={() => setCreating(true)}
          >
            Nuovo Utente
          </Button>
        }
      />
      <Stack>
        <UserSearch />
        <div>
          {id !== undefined && <AccountFilter parameter="utente" label="Utente" id={id} />}
          <Loaded query={query} skeleton={<RowsSkeleton />} errorTitle={USERS_TEXTS.loadFailed}>
            {({ pages }) => {
              if (users.length === 0) {
                return (
                  <EmptyState icon={IconUsers} title={searched ? USERS_TEXTS.noneMatches : USERS_TEXTS.none}>
                    {searched &&
                      (onlyOne
                        ? 'Togli il filtro per vedere tutti.'
                        : 'Prova con una parte del nome, dell’email o dell’azienda.')}
                  </EmptyState>
                );
              }
              return (
                <div>
                  <DataTable
                    caption="Utenti"
                    rows={users}
                    rowKey={({ id }) => id}
                    columns={columns}
                    title={nameOf}
                    cardBadge={roleOf}
                    actions={actions}
                  />
                  <LoadMore shown={users.length} total={pages[0]?.total ?? users.length} pages={query} />
                </div>
              );
            }}
          </Loaded>
        </div>
      </Stack>
      <NewUserDialog opened={creating} onClose={() => setCreating(false)} />
    </>
  );
}
