import { CloseButton, getDefaultZIndex, Input, Loader, Modal } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Fragment, type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { afterPaint, useAfterPaint } from '#client/lib/after-paint.ts';
import { counted, DOT } from '#client/lib/words.ts';
import { useCover } from '#client/ui/cover.ts';
import { useDescription } from '#client/ui/description.tsx';
import { isHere } from '#client/ui/link.tsx';
import { memoWithStableHandlers } from '#client/ui/stable-handlers.tsx';
import { ClosedByBack } from '#client/ui/way-back.tsx';
import type { Me } from '#contract/accounts.ts';
import { DETAIL_SEPARATOR, MAX_QUERY_LENGTH, MIN_SEARCH_LENGTH, SEARCH_TOO_SHORT } from '#contract/search.ts';
import { type Option, useFound } from './found.ts';
import styles from './palette.module.css';
import { takeTyped } from './typed-ahead.ts';

type PaletteProps = { me: Me; opened: boolean; onClose: () => void };

/**
 * Finds pages by name, and the records that the account may see. Opened by the shell. Opening and closing follow the
 * frame that responds to the press.
 */
export default function Palette({ me, opened, onClose }: PaletteProps) {
  const navigate = useNavigate();
  const shown = useAfterPaint(opened, false);
  function open(to: string) {
    // Already closing.
    if (!opened) return;
    onClose();
    afterPaint(() => navigate(to, { replace: isHere(to) }));
  }
  return (
    <>
      {opened && <ClosedByBack onBack={onClose} />}
      <PaletteDialog me={me} opened={shown} onClose={onClose} onOpen={open} />
    </>
  );
}

type DialogProps = PaletteProps & { onOpen: (to: string) => void };

/** Not rendered by the press that opens or closes it, only after the frame that responds. */
const PaletteDialog = memoWithStableHandlers(({ opened, onClose, ...search }: DialogProps) => {
  useCover(opened);
  const { id, attributes, description } = useDescription();
  return (
    <Modal
      id={id}
      opened={opened}
      onClose={onClose}
      // The dialog has no visible title.
      attributes={{ ...attributes, content: { 'aria-label': 'Cerca' } }}
      classNames={{ content: styles.content, body: styles.body }}
      withCloseButton={false}
      size={600}
      padding={0}
      // Aligned to the top, so that the field does not move as the list of hits grows and shrinks.
      centered={false}
      yOffset="10dvh"
      zIndex={getDefaultZIndex('max')}
    >
      {description}
      <Combobox {...search} onClose={onClose} />
    </Modal>
  );
});

/**
 * A combobox whose list is always open (ARIA Authoring Practices): the focus stays in the field, which refers to the
 * option that Enter opens. A component of its own, so that a letter does not render the dialog.
 */
function Combobox({ me, onOpen, onClose }: Omit<DialogProps, 'opened'>) {
  const id = useId();
  const [query, setQuery] = useState('');
  /** Key of the option selected with the arrow keys. */
  const [chosen, setChosen] = useState<string | null>(null);
  const { groups, isFetching, isPending, isFailed } = useFound(me, query);
  const options = groups.flatMap((group) => group.options);
  const nothing = options.length === 0;
  const typed = query.trim();

  const idOf = (key: string) => `${id}-${key}`;
  const active = options.find(({ key }) => key === chosen) ?? (typed ? options[0] : undefined);
  const activeId = active && idOf(active.key);
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  function search(text: string) {
    setQuery(text);
    setChosen(null);
  }
  /** Wraps around in both directions. */
  function move(step: 1 | -1) {
    const index = active ? options.indexOf(active) + step : step === 1 ? 0 : -1;
    setChosen(options.at(index % options.length)?.key ?? null);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter') active && onOpen(active.to);
    else return;
    event.preventDefault();
  }

  function status(): string {
    if (isFailed) return 'La ricerca non risponde. Riprova tra poco.';
    if (nothing && typed.length < MIN_SEARCH_LENGTH) return `${SEARCH_TOO_SHORT}.`;
    if (nothing && isPending) return 'Sto cercando…';
    if (nothing)
      return `Nessun risultato. Prova con ${me.permissions.customerArea ? 'un nome, una località' : 'un cliente, un progetto'} o un numero di fattura.`;
    return typed && !isPending ? counted(options.length, 'risultato', 'risultati') : '';
  }

  return (
    <>
      <Input
        data-autofocus
        size="lg"
        classNames={{ input: styles.field }}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={!nothing}
        aria-controls={nothing ? undefined : `${id}-list`}
        aria-activedescendant={activeId}
        autoComplete="off"
        maxLength={MAX_QUERY_LENGTH}
        aria-label={
          me.permissions.customerArea
            ? 'Cerca progetti, persone, fatture, richieste e pagine'
            : 'Cerca una fattura, un cliente o una pagina'
        }
        placeholder={
          me.permissions.customerArea
            ? 'Cerca progetti, persone, fatture…'
            : 'Cerca una fattura o un cliente…'
        }
        leftSection={
          isFetching ? <Loader size={18} /> : <IconSearch size={20} stroke={1.75} aria-hidden="true" />
        }
        // Not every device has an Esc key, or a back button.
        rightSectionPointerEvents="all"
        rightSection={<CloseButton aria-label="Chiudi" onClick={onClose} />}
        value={query}
        onFocus={() => !query && search(takeTyped())}
        onChange={(event) => search(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {!nothing && (
        <div id={`${id}-list`} className={styles.list} role="listbox" aria-label="Risultati">
          {groups.map(({ label, options: found }) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of a list box
            <div key={label} className={styles.group} role="group" aria-label={label}>
              <div className={styles.groupLabel} aria-hidden="true">
                {label}
              </div>
              {found.map(({ key, to, ...option }) => (
                <ResultOption
                  key={key}
                  {...option}
                  id={idOf(key)}
                  selected={key === active?.key}
                  onOpen={() => onOpen(to)}
                />
              ))}
            </div>
          ))}
        </div>
      )}
      {/* Always present, so that it is announced; visually the count is obvious. */}
      <div role="status" className={nothing || isFailed ? styles.status : 'visually-hidden'}>
        {status()}
      </div>
    </>
  );
}

/** Rendered again only when it changes, because many stay while somebody types. A plain element, because there are many. */
const ResultOption = memoWithStableHandlers(
  ({
    id,
    label,
    lang,
    description,
    icon: OptionIcon,
    selected,
    onOpen,
  }: Omit<Option, 'key' | 'to'> & { id: string; selected: boolean; onOpen: () => void }) => (
    <button
      type="button"
      id={id}
      className={styles.option}
      role="option"
      aria-selected={selected}
      lang={lang}
      tabIndex={-1}
      // Keeps the focus in the field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onOpen}
    >
      <OptionIcon className={styles.icon} size={20} stroke={1.75} aria-hidden="true" />
      <span className={styles.words}>
        <span className={styles.label}>{label}</span>
        {description && (
          <span className={styles.description}>
            {description.split(DETAIL_SEPARATOR).map((part, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same part may come twice
              <Fragment key={index}>
                {index > 0 && DOT}
                {/* A name in Arabic or Hebrew letters would otherwise draw the numbers that follow into itself. */}
                <bdi>{part}</bdi>
              </Fragment>
            ))}
          </span>
        )}
      </span>
    </button>
  ),
);
