import {
  Button,
  Checkbox,
  type CheckboxGroupProps,
  CloseButton,
  Input,
  SimpleGrid,
  Stack,
  Tabs,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { ChoiceCards } from '#client/ui/choice-cards.tsx';
import { DateField } from '#client/ui/date-field.tsx';
import { NativeSelect, Textarea, TextInput } from '#client/ui/inputs.tsx';
import { NumberInput } from '#client/ui/number-input.tsx';
import { memoWithStableHandlers } from '#client/ui/stable-handlers.tsx';
import { isCalendarDate, todayInRome } from '#contract/dates.ts';
import {
  ACCESSIBILITY_NEEDS,
  ACCOMMODATION_TYPES,
  AMENITIES,
  additionProblem,
  BEDS,
  DIETARY_NEEDS,
  LOCATIONS,
  REQUIREMENTS_LIMITS,
  ROOM_TYPES,
  TRIP_PURPOSES,
} from '#contract/requirements.ts';
import { type FormValues, withAddition } from './draft.ts';
import styles from './wizard-steps.module.css';

type Props = { form: UseFormReturnType<FormValues> };

function optionsOf<Value extends string>(labels: Readonly<Record<Value, string>>) {
  return (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label }));
}

// Lists that stay the same, so that a letter in one field does not render the others.
const PURPOSE_OPTIONS = optionsOf(TRIP_PURPOSES);
const ACCOMMODATION_OPTIONS = optionsOf(ACCOMMODATION_TYPES);
const ROOM_OPTIONS = optionsOf(ROOM_TYPES);
const BED_OPTIONS = optionsOf(BEDS);
const AMENITY_OPTIONS = optionsOf(AMENITIES);
const LOCATION_OPTIONS = optionsOf(LOCATIONS);
const ACCESSIBILITY_OPTIONS = optionsOf(ACCESSIBILITY_NEEDS);
const DIETARY_OPTIONS = optionsOf(DIETARY_NEEDS);

/** Two short fields side by side, if the card is wide enough. */
function Pair({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid type="container" cols={{ base: 1, '28rem': 2 }} verticalSpacing="lg">
      {children}
    </SimpleGrid>
  );
}

/** Step 1 'Trip Details'. */
export function TripDetails({ form }: Props) {
  const { startDate } = form.getValues();
  const today = todayInRome();
  return (
    <Stack gap="lg">
      <TextInput
        label="Destination"
        required
        autoComplete="off"
        maxLength={REQUIREMENTS_LIMITS.destination}
        {...form.getInputProps('destination')}
      />
      <NativeSelect label="Trip purpose" data={PURPOSE_OPTIONS} {...form.getInputProps('purpose')} />
      <Pair>
        <DateField
          label="Start date"
          language="en"
          required
          minDate={today}
          {...form.getInputProps('startDate')}
        />
        <DateField
          label="End date"
          language="en"
          required
          minDate={isCalendarDate(startDate) ? startDate : today}
          {...form.getInputProps('endDate')}
        />
      </Pair>
      <Pair>
        <NumberInput
          label="Number of travelers"
          required
          min={1}
          clampBehavior="none"
          thousandSeparator=","
          {...form.getInputProps('travelers')}
        />
        <NumberInput
          label="Budget per night (USD)"
          required
          prefix="$"
          min={0}
          step={10}
          clampBehavior="none"
          thousandSeparator=","
          {...form.getInputProps('budgetPerNight')}
        />
      </Pair>
    </Stack>
  );
}

/** Any of `options`, the same array on every render. */
const Checks = memoWithStableHandlers(function Checks({
  options,
  ...field
}: Omit<CheckboxGroupProps, 'children'> & { options: readonly { value: string; label: string }[] }) {
  return (
    <Checkbox.Group styles={{ label: { fontSize: 'var(--mantine-font-size-md)' } }} {...field}>
      <div className={styles.checks}>
        {options.map((option) => (
          <Checkbox key={option.value} value={option.value} label={option.label} />
        ))}
      </div>
    </Checkbox.Group>
  );
});

/** Step 2 'Accommodation'. */
export function Accommodation({ form }: Props) {
  const { roomType } = form.getValues();
  return (
    <Stack gap="lg">
      <ChoiceCards
        label="Accommodation type"
        options={ACCOMMODATION_OPTIONS}
        {...form.getInputProps('accommodation')}
      />
      <div>
        <Input.Label labelElement="div" size="md" mb="xs" id="room-type">
          Room type
        </Input.Label>
        <Tabs
          value={roomType}
          keepMounted={false}
          onChange={(value) => {
            const chosen = ROOM_OPTIONS.find((option) => option.value === value);
            if (chosen) form.setFieldValue('roomType', chosen.value);
          }}
        >
          <Tabs.List grow aria-labelledby="room-type" className={styles.tabs}>
            {ROOM_OPTIONS.map((option) => (
              <Tabs.Tab key={option.value} value={option.value}>
                {option.label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {ROOM_OPTIONS.map((option) => (
            <Tabs.Panel key={option.value} value={option.value} pt="md">
              <ChoiceCards label="Beds" options={BED_OPTIONS} {...form.getInputProps('beds')} />
            </Tabs.Panel>
          ))}
        </Tabs>
      </div>
      <Checks label="Amenities" options={AMENITY_OPTIONS} {...form.getInputProps('amenities')} />
      <Pair>
        <NativeSelect label="Location" data={LOCATION_OPTIONS} {...form.getInputProps('location')} />
        <NumberInput
          label="Max distance (km)"
          required
          min={0}
          clampBehavior="none"
          thousandSeparator=","
          {...form.getInputProps('maxDistanceKm')}
        />
      </Pair>
    </Stack>
  );
}

/**
 * A free list: Enter or the button adds an entry, the cross removes it; blanks and duplicates are refused with a
 * message. Text that was typed but not added is added when the step is left.
 */
function AdditionalRequirements({ form }: Props) {
  const [problem, setProblem] = useState<string | null>(null);
  /** What a screen reader is told: the focus is in the field and stays there, so it would read nothing. */
  const [told, setTold] = useState({ words: '', at: 0 });
  const input = useRef<HTMLInputElement>(null);
  const { additional: list, addition } = form.getValues();

  const tell = (words: string) => setTold({ words, at: Date.now() });

  function add() {
    const found = additionProblem(list, addition);
    setProblem(found);
    if (found === null) {
      form.setValues(withAddition(form.getValues()));
      tell(`Added: ${addition.trim()}`);
    } else if (document.activeElement === input.current) {
      tell(`Not added. ${found}`);
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
        value={addition}
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
          form.setFieldValue('addition', event.currentTarget.value);
          form.clearFieldError('additional');
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
                  tell(`Removed: ${entry}`);
                  input.current?.focus();
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <span role="status" className="visually-hidden">
        {/* A new element is announced even if it says the same again. */}
        <span key={told.at}>{told.words}</span>
      </span>
    </div>
  );
}

/** Step 3 'Special Needs'. */
export function SpecialNeeds({ form }: Props) {
  return (
    <Stack gap="lg">
      <Checks
        label="Accessibility"
        options={ACCESSIBILITY_OPTIONS}
        {...form.getInputProps('accessibility')}
      />
      <Checks label="Dietary needs" options={DIETARY_OPTIONS} {...form.getInputProps('dietary')} />
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
