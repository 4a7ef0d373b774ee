import {
  Alert,
  Anchor,
  Button,
  Checkbox,
  CloseButton,
  Group,
  Input,
  Paper,
  SimpleGrid,
  Stack,
  Tabs,
  Text,
  Title,
} from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { IconArrowLeft, IconArrowRight, IconInfoCircle, IconPlus, IconSend } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { afterPaint } from '#client/lib/after-paint.ts';
import { answer, api, failingAs } from '#client/lib/api.ts';
import { useDraft } from '#client/lib/drafts.ts';
import { type Attempt, attemptOf } from '#client/lib/idempotency.ts';
import { AppForm } from '#client/ui/app-form.tsx';
import { ChoiceCards } from '#client/ui/choice-cards.tsx';
import { DateField } from '#client/ui/date-field.tsx';
import { NativeSelect, Textarea, TextInput } from '#client/ui/inputs.ts';
import { Link } from '#client/ui/link.tsx';
import { NumberInput } from '#client/ui/number-input.ts';
import { PageHeader } from '#client/ui/page-header.tsx';
import { ProgressBar } from '#client/ui/progress-bar.tsx';
import { toast } from '#client/ui/toast.ts';
import { formatDate, isCalendarDate, todayInRome } from '#contract/dates.ts';
import {
  ACCESSIBILITY_NEEDS,
  ACCOMMODATION_TYPES,
  AMENITIES,
  additionProblem,
  BEDS,
  DIETARY_NEEDS,
  LOCATIONS,
  REQUIREMENTS_LIMITS,
  REQUIREMENTS_STEPS,
  REQUIREMENTS_TEXTS,
  type Requirements,
  ROOM_TYPES,
  requirementsLines,
  requirementsSchema,
  TRIP_PURPOSES,
} from '#contract/requirements.ts';
import styles from './page.module.css';

const LAST_STEP = REQUIREMENTS_STEPS.length - 1;

/** The wizard's fields as they stand in the form: figures and dates may not be any yet. */
type FormValues = Omit<
  Requirements,
  'startDate' | 'endDate' | 'travelers' | 'budgetPerNight' | 'maxDistanceKm'
> & {
  startDate: string;
  endDate: string;
  travelers: number | string;
  budgetPerNight: number | string;
  maxDistanceKm: number | string;
};

const empty: FormValues = {
  destination: '',
  purpose: 'business',
  startDate: '',
  endDate: '',
  travelers: 1,
  budgetPerNight: 0,
  accommodation: 'hotel',
  roomType: 'single',
  beds: '1',
  amenities: [],
  location: 'downtown',
  maxDistanceKm: 5,
  accessibility: [],
  dietary: [],
  additional: [],
  notes: '',
};

type Props = { form: UseFormReturnType<FormValues> };

function optionsOf<Value extends string>(labels: Readonly<Record<Value, string>>) {
  return (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label }));
}

/** Messages of the wrong fields of one step, or of the whole form, field path → message. */
function errorsOf(values: FormValues, step?: number): Record<string, string> {
  const fields: readonly string[] | undefined =
    step === undefined ? undefined : REQUIREMENTS_STEPS[step]?.fields;
  const errors: Record<string, string> = {};
  for (const issue of requirementsSchema.safeParse(values).error?.issues ?? []) {
    const field = String(issue.path[0] ?? '');
    if (!fields || fields.includes(field)) errors[field] ??= issue.message;
  }
  return errors;
}

/** Two short fields side by side, where the card has room for both. */
function Pair({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid type="container" cols={{ base: 1, '28rem': 2 }}>
      {children}
    </SimpleGrid>
  );
}

function TripDetails({ form }: Props) {
  const { startDate } = form.getValues();
  const today = todayInRome();
  return (
    <Stack gap="lg">
      <TextInput
        label="Destination"
        withAsterisk
        autoComplete="off"
        maxLength={REQUIREMENTS_LIMITS.destination}
        {...form.getInputProps('destination')}
      />
      <NativeSelect label="Trip purpose" data={optionsOf(TRIP_PURPOSES)} {...form.getInputProps('purpose')} />
      <Pair>
        <DateField
          label="Start date"
          language="en"
          withAsterisk
          minDate={today}
          {...form.getInputProps('startDate')}
        />
        <DateField
          label="End date"
          language="en"
          withAsterisk
          minDate={isCalendarDate(startDate) ? startDate : today}
          {...form.getInputProps('endDate')}
        />
      </Pair>
      <Pair>
        <NumberInput
          label="Number of travelers"
          withAsterisk
          min={1}
          allowDecimal={false}
          clampBehavior="none"
          {...form.getInputProps('travelers')}
        />
        <NumberInput
          label="Budget per night (USD)"
          withAsterisk
          prefix="$"
          min={0}
          step={10}
          allowDecimal={false}
          clampBehavior="none"
          {...form.getInputProps('budgetPerNight')}
        />
      </Pair>
    </Stack>
  );
}

function Checks({
  form,
  field,
  label,
  options,
}: Props & {
  field: 'amenities' | 'accessibility' | 'dietary';
  label: string;
  options: Record<string, string>;
}) {
  return (
    <Checkbox.Group label={label} labelProps={{ size: 'md' }} {...form.getInputProps(field)}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt="xs">
        {optionsOf(options).map((option) => (
          <Checkbox key={option.value} value={option.value} label={option.label} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}

function Accommodation({ form }: Props) {
  const { roomType } = form.getValues();
  return (
    <Stack gap="lg">
      <ChoiceCards
        label="Accommodation type"
        options={optionsOf(ACCOMMODATION_TYPES)}
        {...form.getInputProps('accommodation')}
      />
      <div>
        <Input.Label labelElement="div" size="md" mb="xs" id="room-type">
          Room type
        </Input.Label>
        <Tabs
          value={roomType}
          onChange={(value) => {
            const chosen = optionsOf(ROOM_TYPES).find((option) => option.value === value);
            if (chosen) form.setFieldValue('roomType', chosen.value);
          }}
        >
          <Tabs.List grow aria-labelledby="room-type" className={styles.tabs}>
            {optionsOf(ROOM_TYPES).map((option) => (
              <Tabs.Tab key={option.value} value={option.value}>
                {option.label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {optionsOf(ROOM_TYPES).map((option) => (
            <Tabs.Panel key={option.value} value={option.value} pt="md">
              <ChoiceCards label="Beds" options={optionsOf(BEDS)} {...form.getInputProps('beds')} />
            </Tabs.Panel>
          ))}
        </Tabs>
      </div>
      <Checks form={form} field="amenities" label="Amenities" options={AMENITIES} />
      <Pair>
        <NativeSelect label="Location" data={optionsOf(LOCATIONS)} {...form.getInputProps('location')} />
        <NumberInput
          label="Max distance (km)"
          min={0}
          allowDecimal={false}
          clampBehavior="none"
          {...form.getInputProps('maxDistanceKm')}
        />
      </Pair>
    </Stack>
  );
}

/** A free list: Enter or the button adds, the cross removes; blanks and duplicates are refused with a word. */
function AdditionalRequirements({ form }: Props) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const list = form.getValues().additional;

  function add() {
    const found = additionProblem(list, text);
    setProblem(found);
    if (found === null) {
      form.setFieldValue('additional', [...list, text.trim()]);
      setText('');
    }
    input.current?.focus();
  }

  return (
    <div>
      <TextInput
        ref={input}
        label="Additional requirements"
        description="Add them one by one."
        maxLength={REQUIREMENTS_LIMITS.additionalText}
        value={text}
        error={problem ?? form.errors.additional}
        inputContainer={(field) => (
          <div className={styles.adding}>
            {field}
            <Button
              variant="default"
              disabled={list.length >= REQUIREMENTS_LIMITS.additional}
              leftSection={<IconPlus size={18} aria-hidden="true" />}
              onClick={add}
            >
              Add
            </Button>
          </div>
        )}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setProblem(null);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault();
            add();
          }
        }}
      />
      {list.length > 0 && (
        <ul className={styles.list} aria-label="Additional requirements">
          {list.map((entry) => (
            <li key={entry} className={styles.entry}>
              <span>{entry}</span>
              <CloseButton
                aria-label={`Remove ${entry}`}
                onClick={() => {
                  form.setFieldValue(
                    'additional',
                    list.filter((other) => other !== entry),
                  );
                  input.current?.focus();
                }}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function SpecialNeeds({ form }: Props) {
  return (
    <Stack gap="lg">
      <Checks form={form} field="accessibility" label="Accessibility" options={ACCESSIBILITY_NEEDS} />
      <Checks form={form} field="dietary" label="Dietary needs" options={DIETARY_NEEDS} />
      <AdditionalRequirements form={form} />
      <Textarea
        label="Notes"
        autosize
        minRows={3}
        maxRows={12}
        maxLength={REQUIREMENTS_LIMITS.notes}
        {...form.getInputProps('notes')}
      />
    </Stack>
  );
}

/** The lines of every step that asks for something, also of one that was left empty. */
function reviewOf(requirements: Requirements) {
  const parts = new Map(
    requirementsLines(requirements, formatDate).map(({ title, lines }) => [title, lines]),
  );
  return REQUIREMENTS_STEPS.slice(0, LAST_STEP).map(({ title }) => ({
    title,
    lines: parts.get(title) ?? [],
  }));
}

function Review({ form }: Props) {
  const parsed = requirementsSchema.safeParse(form.getValues());
  return (
    <Stack gap="lg">
      {parsed.success &&
        reviewOf(parsed.data).map(({ title, lines }) => (
          <div key={title}>
            <Title order={3} size="h4">
              {title}
            </Title>
            {lines.length === 0 && <p className={styles.none}>None</p>}
            {lines.length > 0 && (
              <dl className={styles.lines}>
                {lines.map(([label, value]) => (
                  <div key={label} className={styles.line}>
                    <dt>{label}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
            )}
          </div>
        ))}
      <Alert color="blue" icon={<IconInfoCircle size={20} stroke={1.75} aria-hidden="true" />}>
        {REQUIREMENTS_TEXTS.disclaimer}
      </Alert>
    </Stack>
  );
}

function Wizard({ onSubmitted }: { onSubmitted: () => void }) {
  const draft = useDraft<{ values: FormValues; step: number; attempt: Attempt | null }>(
    'requirements',
    { values: empty, step: 0, attempt: null },
    { lasting: true },
  );
  const [step, setStep] = useState(draft.values.step);
  const attempt = useRef(draft.values.attempt);
  const heading = useRef<HTMLHeadingElement>(null);
  const form = useForm<FormValues>({
    initialValues: draft.values.values,
    validate: (values) => errorsOf(values, step < LAST_STEP ? step : undefined),
    onValuesChange: (values) => draft.keep({ values, step, attempt: attempt.current }),
  });

  function goTo(next: number) {
    form.clearErrors();
    draft.keep({ values: form.getValues(), step: next, attempt: attempt.current });
    // The title is read out when it gets the focus: it has to be that of the next step by then.
    flushSync(() => setStep(next));
    window.scrollTo({ top: 0 });
    heading.current?.focus({ preventScroll: true });
  }

  async function submit(values: FormValues) {
    if (step < LAST_STEP) return goTo(step + 1);
    const requirements = requirementsSchema.parse(values);
    attempt.current = attemptOf(requirements, attempt.current);
    draft.keep({ values, step, attempt: attempt.current });
    const header = { 'idempotency-key': attempt.current.key };
    const sending = answer(api.requirements.$post({ header, json: requirements }));
    await failingAs(REQUIREMENTS_TEXTS.failed, sending);
    draft.discard();
    toast({ title: REQUIREMENTS_TEXTS.submitted });
    onSubmitted();
  }

  const percent = Math.round(((step + 1) / REQUIREMENTS_STEPS.length) * 100);
  const title = REQUIREMENTS_STEPS[step]?.title ?? '';
  return (
    <Paper withBorder className={styles.card} lang="en">
      <Group justify="space-between" mb="xs">
        <Text size="sm" fw={600}>
          Step {step + 1} of {REQUIREMENTS_STEPS.length}
        </Text>
        <Text size="sm" c="dimmed" className="tabular">
          {percent}%
        </Text>
      </Group>
      <div className={styles.progress}>
        <ProgressBar value={percent} label="Progress" />
      </div>
      <AppForm form={form} onSubmit={submit} label={title}>
        <Title order={2} size="h3" mb="lg" ref={heading} tabIndex={-1} className={styles.stepTitle}>
          {title}
        </Title>
        {step === 0 && <TripDetails form={form} />}
        {step === 1 && <Accommodation form={form} />}
        {step === 2 && <SpecialNeeds form={form} />}
        {step === LAST_STEP && <Review form={form} />}
        <div className={styles.buttons}>
          <Button
            variant="default"
            disabled={step === 0 || form.submitting}
            leftSection={<IconArrowLeft size={18} aria-hidden="true" />}
            onClick={() => afterPaint(() => goTo(Math.max(step - 1, 0)))}
          >
            Back
          </Button>
          {step < LAST_STEP ? (
            <Button type="submit" rightSection={<IconArrowRight size={18} aria-hidden="true" />}>
              Continue
            </Button>
          ) : (
            <Button
              type="submit"
              color="orange"
              loading={form.submitting}
              leftSection={<IconSend size={18} aria-hidden="true" />}
            >
              Submit
            </Button>
          )}
        </div>
      </AppForm>
    </Paper>
  );
}

/** The requirements wizard (spec §2), in English. */
export default function RequirementsPage() {
  const [round, setRound] = useState(0);
  return (
    <>
      <div lang="en" className={styles.header}>
        <PageHeader
          title="Travel requirements"
          intro="Tell us what your people need, step by step."
          actions={
            <Anchor component={Link} to="/app/nuova-trasferta" lang="it">
              Nuova Trasferta
            </Anchor>
          }
        />
      </div>
      <Wizard key={round} onSubmitted={() => setRound(round + 1)} />
    </>
  );
}
