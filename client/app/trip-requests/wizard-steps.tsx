import { Alert, Combobox, SimpleGrid, Stack, type TextInputProps } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconBulb } from '@tabler/icons-react';
import { useId, useMemo } from 'react';
import { ChoiceCards } from '#client/ui/choice-cards.tsx';
import { DateField } from '#client/ui/date-field.tsx';
import { NativeSelect, Textarea, TextInput } from '#client/ui/inputs.tsx';
import { NumberInput } from '#client/ui/number-input.tsx';
import { SelectOptions } from '#client/ui/select-options.tsx';
import { memoWithStableHandlers } from '#client/ui/stable-handlers.tsx';
import { useChoice } from '#client/ui/use-choice.ts';
import { isCalendarDate, todayInRome } from '#contract/dates.ts';
import {
  ACCOMMODATION_PREFERENCES,
  ACCOMMODATIONS,
  leadTimeHint,
  PRIORITIES,
  REQUIREMENT_LEVELS,
  roomsHint,
  TRIP_REQUEST_LIMITS,
} from '#contract/trip-requests.ts';
import type { FormValues } from './draft.ts';
import styles from './wizard-steps.module.css';
import { capitalized, wholeOf } from './words.ts';

type Props = { form: UseFormReturnType<FormValues> };

const accommodationWords = { hotel: 'Hotel', appartamento: 'Appartamento', entrambi: 'Entrambi' } as const;

const priorityWords = {
  distanza: { label: 'Distanza', description: 'Il più vicino possibile al sito.' },
  costo: { label: 'Costo', description: 'Il miglior prezzo nella zona.' },
} as const;

const optionOf = <Value extends string>(value: Value) => ({ value, label: capitalized(value) });

// Lists that stay the same, so that a letter in one field does not render the others.
const ACCOMMODATION_OPTIONS = ACCOMMODATIONS.map((value) => ({ value, label: accommodationWords[value] }));
const PREFERENCE_OPTIONS = ACCOMMODATION_PREFERENCES.map(optionOf);
const LEVEL_OPTIONS = REQUIREMENT_LEVELS.map(optionOf);
const PRIORITY_OPTIONS = PRIORITIES.map((value) => ({ value, ...priorityWords[value] }));

/** The field is as wide as a number, its help text as wide as the form. */
const figureField = { wrapper: styles.figure };

/** A count, not clamped, so that an invalid number is explained instead of changed. */
function CountField(props: Omit<React.ComponentProps<typeof NumberInput>, 'thousandSeparator'>) {
  return <NumberInput clampBehavior="none" thousandSeparator="." decimalSeparator="," required {...props} />;
}

/** Whether `typed` is part of a name, in any case. */
const isPartOf = (name: string, typed: string) => name.toLowerCase().includes(typed.trim().toLowerCase());

/** A name that is suggested is its own value. */
const suggestionOf = (name: string) => ({ value: name, label: name });

/**
 * The name of a project, one of `projects` or another. Built from Mantine's Combobox: its Autocomplete tells a screen reader
 * of an open list where none is shown, and of an option that a letter typed since has left.
 */
const ProjectNameField = memoWithStableHandlers(function ProjectNameField({
  projects,
  value = '',
  onChange,
  onBlur,
  ...field
}: Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange'> & {
  projects: readonly string[];
  value?: string;
  onChange?: (name: string) => void;
}) {
  const inputId = useId();
  const { input, target, combobox, shown, choose, open, onKeyDown } = useChoice(value, (name: string) =>
    onChange?.(name),
  );
  const found = useMemo(() => projects.filter((name) => isPartOf(name, shown)), [projects, shown]);
  return (
    <Combobox store={combobox} size="md">
      <Combobox.Target withExpandedAttribute withKeyboardNavigation={found.length > 0} {...target}>
        <TextInput
          ref={input}
          id={inputId}
          label="Nome del Progetto"
          description="Scegline uno dei tuoi o scrivine uno nuovo."
          required
          rightSection={projects.length > 0 && <Combobox.Chevron size="md" />}
          rightSectionPointerEvents="none"
          maxLength={TRIP_REQUEST_LIMITS.progetto}
          {...field}
          value={shown}
          onChange={({ currentTarget }) => {
            const typed = currentTarget.value;
            combobox.resetSelectedOption();
            onChange?.(typed);
            if (projects.some((name) => isPartOf(name, typed))) open();
            else combobox.closeDropdown();
          }}
          onClick={() => found.length > 0 && open()}
          onKeyDown={onKeyDown}
          onBlur={(event) => {
            combobox.closeDropdown();
            onBlur?.(event);
          }}
        />
      </Combobox.Target>
      <SelectOptions
        labelledBy={`${inputId}-label`}
        items={found}
        optionOf={suggestionOf}
        chosen={shown}
        onChoose={choose}
      />
    </Combobox>
  );
});

function Hint({ children }: { children: string | null }) {
  return (
    <div role="status">
      {children && (
        <Alert color="blue" mt="sm" icon={<IconBulb size={20} stroke={1.75} aria-hidden="true" />}>
          {children}
        </Alert>
      )}
    </div>
  );
}

/** Step 1 'Informazioni Base'. `projects` are the names of the customer's projects. */
export function BasicsStep({ form, projects }: Props & { projects: readonly string[] }) {
  const { dataInizio } = form.getValues();
  return (
    <Stack gap="lg">
      <TextInput
        label="Città"
        required
        maxLength={TRIP_REQUEST_LIMITS.citta}
        autoComplete="off"
        {...form.getInputProps('citta')}
      />
      <TextInput
        label="Posizione Esatta del Sito di Lavoro"
        description="Via e numero, o un punto riconoscibile: serve a cercare alloggi vicini."
        required
        maxLength={TRIP_REQUEST_LIMITS.posizione}
        autoComplete="off"
        {...form.getInputProps('posizione')}
      />
      <div>
        <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing="lg">
          <DateField
            label="Data di Inizio"
            required
            minDate={todayInRome()}
            {...form.getInputProps('dataInizio')}
          />
          <DateField
            label="Data di Fine"
            required
            minDate={isCalendarDate(dataInizio) ? dataInizio : todayInRome()}
            {...form.getInputProps('dataFine')}
          />
        </SimpleGrid>
        <Hint>{isCalendarDate(dataInizio) ? leadTimeHint(dataInizio) : null}</Hint>
      </div>
      <ProjectNameField projects={projects} {...form.getInputProps('progetto')} />
      <Textarea
        label="Ragione della Trasferta"
        required
        autosize
        minRows={2}
        maxRows={8}
        maxLength={TRIP_REQUEST_LIMITS.ragione}
        {...form.getInputProps('ragione')}
      />
      <CountField label="Numero di Persone" min={1} maw="12rem" {...form.getInputProps('numeroDipendenti')} />
    </Stack>
  );
}

/** Step 2 'Preferenze di Alloggio'. The preference appears only with 'entrambi'. */
export function AccommodationStep({ form }: Props) {
  const { alloggio, camere, numeroDipendenti } = form.getValues();
  const people = wholeOf(numeroDipendenti, 1);
  const singole = wholeOf(camere.singole, 0);
  const doppie = wholeOf(camere.doppie, 0);
  const suite = wholeOf(camere.suite, 0);
  const known = people !== null && singole !== null && doppie !== null && suite !== null;
  const hint = known ? roomsHint(people, { singole, doppie, suite }) : null;
  return (
    <Stack gap="lg">
      <ChoiceCards
        label="Tipo di Alloggio"
        options={ACCOMMODATION_OPTIONS}
        {...form.getInputProps('alloggio')}
      />
      {alloggio === 'entrambi' && (
        <ChoiceCards
          label="Preferenza"
          description="Se ci sono tutti e due, da dove partiamo?"
          options={PREFERENCE_OPTIONS}
          {...form.getInputProps('preferenzaAlloggio')}
        />
      )}
      <div>
        <SimpleGrid
          type="container"
          cols={{ base: 1, '28rem': 3 }}
          verticalSpacing="lg"
          role="group"
          aria-label="Camere"
        >
          <CountField label="Camere Singole" min={0} {...form.getInputProps('camere.singole')} />
          <CountField label="Camere Doppie" min={0} {...form.getInputProps('camere.doppie')} />
          <CountField label="Suite" min={0} {...form.getInputProps('camere.suite')} />
        </SimpleGrid>
        <Hint>{hint}</Hint>
      </div>
    </Stack>
  );
}

/** Step 3 'Requisiti e Preferenze'. */
export function RequirementsStep({ form }: Props) {
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing="lg">
        <NativeSelect label="Colazione" data={LEVEL_OPTIONS} {...form.getInputProps('requisiti.colazione')} />
        <NativeSelect
          label="Lavanderia"
          data={LEVEL_OPTIONS}
          {...form.getInputProps('requisiti.lavanderia')}
        />
        <NativeSelect
          label="Parcheggio"
          data={LEVEL_OPTIONS}
          {...form.getInputProps('requisiti.parcheggio')}
        />
        <NativeSelect label="Cucina" data={LEVEL_OPTIONS} {...form.getInputProps('requisiti.cucina')} />
      </SimpleGrid>
      <CountField
        label="Budget"
        description="Euro a notte per persona. Lascia 0 se non hai un limite."
        prefix={'€\u00a0'}
        min={0}
        step={5}
        classNames={figureField}
        {...form.getInputProps('budget')}
      />
      <Textarea
        label="Note sul Budget"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={TRIP_REQUEST_LIMITS.budgetNote}
        {...form.getInputProps('budgetNote')}
      />
      <ChoiceCards label="Priorità" options={PRIORITY_OPTIONS} {...form.getInputProps('priorita')} />
    </Stack>
  );
}

/** Step 4 'Richieste Aggiuntive e Contatti'. */
export function ContactsStep({ form }: Props) {
  return (
    <Stack gap="lg">
      <Textarea
        label="Altre Richieste"
        description="Orari dei turni, mezzi da parcheggiare, allergie, tutto quello che dobbiamo sapere."
        autosize
        minRows={3}
        maxRows={12}
        maxLength={TRIP_REQUEST_LIMITS.altreRichieste}
        {...form.getInputProps('altreRichieste')}
      />
      <SimpleGrid type="container" cols={{ base: 1, '28rem': 2 }} verticalSpacing="lg">
        <TextInput
          label="Numero di Telefono"
          type="tel"
          required
          autoComplete="tel"
          maxLength={TRIP_REQUEST_LIMITS.telefono}
          {...form.getInputProps('telefono')}
        />
        <TextInput
          label="Email"
          type="email"
          required
          autoComplete="email"
          {...form.getInputProps('email')}
        />
      </SimpleGrid>
    </Stack>
  );
}
