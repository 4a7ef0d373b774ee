import { Button, FileButton, Group, Input } from '@mantine/core';
import { IconPhotoUp, IconTrash } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useMe } from '#client/lib/session.ts';
import { toast } from '#client/lib/toast.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ERRORS } from '#contract/errors.ts';
import { PICTURE, PICTURE_PATH, PROFILE_TEXTS } from '#contract/profile.ts';
import { useSaveProfile, useUploadPicture } from './api.ts';

/** Whether a profile picture was uploaded, so that it has no URL elsewhere. */
export const isUploaded = (picture: string | null) => picture?.startsWith(PICTURE_PATH) ?? false;

/** Uploads or removes the profile picture at once, without the rest of the form around it. */
export function PictureField({ onSaved }: { onSaved: () => void }) {
  const { profilePicture } = useMe();
  const { mutateAsync: upload, isPending } = useUploadPicture();
  const { mutateAsync: save } = useSaveProfile();
  const [asking, setAsking] = useState(false);
  const forgetFile = useRef<() => void>(null);

  const failed = (error: Error) =>
    toast({ title: PROFILE_TEXTS.failed, message: error.message, kind: 'error' });

  function choose(file: File | null) {
    if (!file) return;
    // Otherwise the same file could not be chosen again after being corrected.
    forgetFile.current?.();
    // Not only after it was sent, which takes a phone minutes on a slow line.
    if (file.size > PICTURE.maxBytes) return void failed(new Error(ERRORS.image_too_large.message));
    upload(file).then(onSaved, failed);
  }

  async function remove() {
    await save({ profilePicture: null });
    onSaved();
  }

  return (
    <div>
      <Input.Label component="p" size="md">
        Foto del profilo
      </Input.Label>
      <Group gap="xs" mt={6}>
        <FileButton
          onChange={choose}
          resetRef={forgetFile}
          accept="image/jpeg,image/png,image/webp,image/avif"
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              loading={isPending}
              leftSection={<IconPhotoUp size={18} aria-hidden="true" />}
            >
              Carica una foto
            </Button>
          )}
        </FileButton>
        {profilePicture && (
          <Button
            variant="subtle"
            color="red"
            onClick={() => setAsking(true)}
            leftSection={<IconTrash size={18} aria-hidden="true" />}
          >
            Togli la foto
          </Button>
        )}
      </Group>
      <ConfirmDialog
        opened={asking}
        title="Togliere la foto?"
        confirmLabel="Togli la foto"
        onConfirm={remove}
        onClose={() => setAsking(false)}
      >
        {isUploaded(profilePicture)
          ? 'La foto del profilo sarà eliminata: per riaverla dovrai caricarla di nuovo.'
          : 'Il profilo non mostrerà più la foto: per riaverla dovrai scriverne di nuovo l’indirizzo.'}
      </ConfirmDialog>
    </div>
  );
}
