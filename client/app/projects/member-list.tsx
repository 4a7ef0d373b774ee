import { Avatar, HoverCard, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { memo, useEffect } from 'react';
import { StatusSelect } from '#client/app/employees/status-select.tsx';
import { useDistinctNames } from '#client/lib/namesakes.ts';
import { useShownSteps } from '#client/ui/incremental-render.ts';
import { LoadMore } from '#client/ui/load-more.tsx';
import { StatusBadge } from '#client/ui/status-badge.tsx';
import { initials } from '#contract/employees.ts';
import type { Project, TeamMember } from '#contract/projects.ts';
import styles from './member-list.module.css';
import { TeamStatus } from './team-status.tsx';

/** Members shown at first, and added by each press on the button, so that a large team does not slow down the page. */
const STEP = 30;

const nameOf = ({ name }: TeamMember) => name;
const roleOf = ({ role }: TeamMember) => role;

/** Memoized, so that showing more people renders only those. */
const Member = memo(function Member({
  member,
  name,
  project,
  hover,
  onCard,
}: {
  member: TeamMember;
  /** Among those of the team. */
  name: string;
  project: Project;
  hover: boolean;
  onCard: ((opened: boolean) => void) | undefined;
}) {
  useEffect(() => () => onCard?.(false), [onCard]);
  return (
    <li className={styles.member} data-entry>
      <HoverCard
        // Not `disabled`, which hides the card but lets it open: the first Esc would close what nobody sees.
        events={{ hover }}
        openDelay={700}
        closeDelay={300}
        shadow="md"
        position="bottom-start"
        withRoles={false}
        onOpen={() => onCard?.(true)}
        onClose={() => onCard?.(false)}
      >
        <HoverCard.Target>
          <div className={styles.person}>
            <Avatar color="petrol" radius="xl" aria-hidden="true">
              {initials(member.name)}
            </Avatar>
            <div className={styles.words}>
              <span className={styles.name} data-name>
                {member.name}
              </span>
              <span className={styles.role}>{member.role}</span>
            </div>
          </div>
        </HoverCard.Target>
        <HoverCard.Dropdown className={styles.card}>
          <Text fw={600}>{member.name}</Text>
          <dl className={styles.facts}>
            <dt>Progetto</dt>
            <dd>{project.name}</dd>
            <dt>Ruolo</dt>
            <dd>{member.role}</dd>
            <dt>Località</dt>
            <dd>{project.location}</dd>
            <dt>Stato</dt>
            <dd>
              <StatusBadge status={member.status} />
            </dd>
          </dl>
        </HoverCard.Dropdown>
      </HoverCard>
      <StatusSelect person={member} name={name} />
    </li>
  );
});

/**
 * A project's team, with initials, name, role and status select, and the buttons for the status of all; a card with
 * details appears on hover.
 * @param onCard told when a card opens or closes
 */
export function MemberList({ project, onCard }: { project: Project; onCard?: (opened: boolean) => void }) {
  const [shown, pages] = useShownSteps(STEP);
  // A touch screen has no hover: the card would only cover the element to be tapped. The dialog has the same data.
  const hover = useMediaQuery('(hover: hover)') ?? false;
  const distinctName = useDistinctNames(project.team, nameOf, roleOf);
  if (project.team.length === 0) {
    return <Text c="dimmed">Nessuno è ancora assegnato a questo progetto.</Text>;
  }
  return (
    <>
      {project.sample ? (
        <Text c="dimmed" size="sm" mb="xs">
          Il team di un esempio non si modifica.
        </Text>
      ) : (
        <TeamStatus project={project} />
      )}
      <ul className={styles.list} aria-label={`Team di ${project.name}`}>
        {project.team.slice(0, shown).map((member) => (
          <Member
            key={member.id}
            member={member}
            name={distinctName(member)}
            project={project}
            hover={hover}
            onCard={onCard}
          />
        ))}
      </ul>
      {project.team.length > shown && <LoadMore shown={shown} total={project.team.length} pages={pages} />}
    </>
  );
}
