import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { EmployeePicker } from '#client/app/employees/employee-picker.tsx';
import { people } from '#client/lib/words.ts';
import { DateField } from '#client/ui/date-field.tsx';
import { EuroField } from '#client/ui/euro-field.tsx';
import { TextInput } from '#client/ui/inputs.tsx';
import { isCalendarDate, todayInRome } from '#contract/dates.ts';
import { isCompleteMember } from '#contract/employees.ts';
import { formatEuro, toCents, toEuro } from '#contract/money.ts';
import { defaultEndDate, PROJECT_LIMITS, type Project } from '#contract/projects.ts';
import { NewMembersField } from './new-members-field.tsx';
import type { ProjectForm } from './project-form.ts';

/**
 * The fields of a project.
 * @param project the edited one, if any
 * @param sent whether the form is being saved, or was
 */
export function ProjectFields({
  form,
  project,
  sent,
}: {
  form: ProjectForm;
  project: Project | undefined;
  sent: boolean;
}) {
  const { values } = form;
  const today = todayInRome();
  const startDate = values.startDate || today;
  const assumedEnd = isCalendarDate(startDate) ? defaultEndDate(startDate) : today;
  const endDate = values.endDate || assumedEnd;
  const period = useMemo(
    () => (isCalendarDate(startDate) && isCalendarDate(endDate) ? { startDate, endDate } : null),
    [startDate, endDate],
  );
  const complete = values.newEmployees.filter(isCompleteMember).length;
  const size = values.employeeIds.length + complete;
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Nome Progetto"
          required
          maxLength={PROJECT_LIMITS.name}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Località"
          required
          maxLength={PROJECT_LIMITS.location}
          {...form.getInputProps('location')}
        />
        <DateField
          label="Data Inizio"
          placeholder="dd/mm/yyyy"
          description="Se non la indichi: oggi"
          {...form.getInputProps('startDate')}
        />
        <DateField
          label="Data Fine"
          placeholder="dd/mm/yyyy"
          description={`Se non la indichi: ${assumedEnd > today ? 'il giorno di inizio' : 'oggi'}`}
          {...(isCalendarDate(values.startDate) && { minDate: values.startDate })}
          {...form.getInputProps('endDate')}
        />
        <EuroField label="Proiezione Spesa Totale (€)" {...form.getInputProps('projectedTotal')} />
        <EuroField
          label={project ? 'Spesa iniziale (€)' : 'Spesa ad Oggi (€)'}
          {...(project && {
            description: `Prima delle fatture, che aggiungono ${formatEuro(toEuro(toCents(project.spentToDate) - toCents(project.openingSpent)))}`,
          })}
          {...form.getInputProps('spent')}
        />
      </SimpleGrid>

      <EmployeePicker
        value={values.employeeIds}
        onChange={(ids) => form.setFieldValue('employeeIds', ids)}
        period={period}
        projectId={project?.id}
        sent={sent}
        error={typeof form.errors.employeeIds === 'string' ? form.errors.employeeIds : undefined}
      />

      <NewMembersField form={form} sent={sent} />

      <Text fw={600} role="status">
        Team: {people(size)}
      </Text>
    </Stack>
  );
}
