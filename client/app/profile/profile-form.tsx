import { Button, Stack } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useEffect } from 'react';
import { nameDifferences, nameValuesOf } from '#client/app/users/account-names.ts';
import { FixedEmail, NameFields } from '#client/app/users/name-fields.tsx';
import { changedFields } from '#client/lib/changed-fields.ts';
import { useEditConflict } from '#client/lib/edit-conflict.ts';
import { useMe } from '#client/lib/session.ts';
import { toast } from '#client/lib/toast.ts';
import { AppForm } from '#client/ui/app-form.tsx';
import { ConflictNotice } from '#client/ui/conflict-notice.tsx';
import { TextInput } from '#client/ui/inputs.tsx';
import { Panel } from '#client/ui/panel.tsx';
import { type AccountNames, accountNamesSchema, type Me } from '#contract/accounts.ts';
import { PROFILE_TEXTS, profileChangesSchema, profileSchema } from '#contract/profile.ts';
import { useSaveProfile } from './api.ts';
import { isUploaded, PictureField } from './picture-field.tsx';

function valuesOf({ profilePicture, ...names }: Me) {
  return {
    ...nameValuesOf(names),
    // An uploaded picture has no URL to show; leaving the field empty keeps it.
    profilePicture: isUploaded(profilePicture) ? '' : (profilePicture ?? ''),
  };
}

/** The form, which takes over what is saved elsewhere, and how it is saved. */
function useProfileForm() {
  const me = useMe();
  const save = useSaveProfile();
  const conflict = useEditConflict<AccountNames>(me, accountNamesSchema);
  const form = useForm({
    initialValues: valuesOf(me),
    validate: schemaResolver(profileSchema, { sync: true }),
  });

  /** Makes `values` the initial values of the form. */
  function noteSaved(values: typeof form.values) {
    form.setInitialValues(values);
    form.resetDirty(values);
  }

  // Values changed elsewhere, for instance by an administrator, replace those of untouched fields.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the account itself changes
  useEffect(() => {
    const saved = valuesOf(me);
    const before = form.getInitialValues();
    for (const field of Object.keys(saved) as (keyof typeof saved)[])
      if (form.getValues()[field] === before[field]) form.setFieldValue(field, saved[field]);
    noteSaved(saved);
    for (const field of ['fullName', 'companyName'] as const)
      if (form.getValues()[field] === saved[field]) conflict.note({ [field]: me[field] });
  }, [me]);

  async function send(values: typeof form.values) {
    const changes = changedFields(form.getInitialValues(), values);
    const isSaved = await conflict.send(
      ({ fullName, companyName }) => save.mutateAsync({ ...changes, from: { fullName, companyName } }),
      (saved) => nameDifferences(values, saved),
    );
    if (!isSaved) return;
    const { fullName, companyName } = profileChangesSchema.parse(changes);
    conflict.note({
      ...(fullName !== undefined && { fullName }),
      ...(companyName !== undefined && { companyName }),
    });
    noteSaved({ ...form.getInitialValues(), ...changes });
    toast({ title: PROFILE_TEXTS.saved });
  }

  /** Marks only the picture as saved; other changes remain unsaved. */
  function notePicture() {
    form.setFieldValue('profilePicture', '');
    noteSaved({ ...form.getInitialValues(), profilePicture: '' });
    toast({ title: PROFILE_TEXTS.saved });
  }

  function takeSaved(saved: AccountNames) {
    const names = nameValuesOf(saved);
    form.setValues(names);
    noteSaved({ ...form.getInitialValues(), ...names });
  }

  return { form, conflict, send, notePicture, takeSaved };
}

/** Full name, company and picture (spec §2); the e-mail is shown and cannot be changed. */
export function ProfileForm() {
  const { email } = useMe();
  const { form, conflict, send, notePicture, takeSaved } = useProfileForm();
  return (
    <Panel title="I tuoi dati">
      <AppForm form={form} onSubmit={send} label="I tuoi dati">
        <ConflictNotice
          conflict={conflict}
          differencesFrom={(saved) => nameDifferences(form.values, saved)}
          onTakeSaved={takeSaved}
        />
        <Stack>
          <PictureField onSaved={notePicture} />
          <FixedEmail email={email} />
          <NameFields form={form} own />
          <TextInput
            label="URL immagine profilo"
            type="url"
            inputMode="url"
            autoComplete="photo"
            placeholder="https://"
            description="Se preferisci un’immagine che è già in rete."
            maxLength={2000}
            {...form.getInputProps('profilePicture')}
          />
          <div>
            <Button type="submit" loading={form.submitting}>
              Salva modifiche
            </Button>
          </div>
        </Stack>
      </AppForm>
    </Panel>
  );
}
