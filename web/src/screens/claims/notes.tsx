import { Button, Group, Text, Textarea, Title } from '@mantine/core'
import { useState } from 'react'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { useChange } from '../../api/hooks.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { Quote } from '../../parts/quote.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { When } from '../../parts/when.tsx'
import classes from './evidence-list.module.css'
import type { Claim } from './use-claim.ts'

interface Props {
  readonly claim: Claim
  readonly canEdit: boolean
}

/** What people and agents learned about a claim, and a field for more. A note is no evidence. */
export const Notes = ({ claim, canEdit }: Props) => {
  const [text, setText] = useState('')
  const saving = useChange('save_knowledge', { invalidates: ['lookup_claim'], onSuccess: () => setText('') })
  return (
    <section aria-labelledby="notes">
      <Title order={2} id="notes" mb="sm">
        {t('Notes')}
      </Title>
      <ul className={classes.list}>
        {claim.notes.map(note => (
          <li key={`${note.saved_at} ${note.text}`} className={classes.piece}>
            <Quote text={note.text} most={400} />
            <Text size="xs" c="dimmed" component="div" mt="xs">
              <bdi>{note.author_name}</bdi>
              {note.key_label !== null &&
                rich(', through the key {key_label}', { key_label: <bdi>{note.key_label}</bdi> })}
              , <When at={note.saved_at} />
            </Text>
          </li>
        ))}
      </ul>
      {claim.notes.length === 0 && !canEdit && (
        <Text size="sm" c="dimmed">
          {t('Nobody noted anything.')}
        </Text>
      )}
      {canEdit && (
        <form
          onSubmit={event => {
            event.preventDefault()
            saving.mutate({ id: claim.reference, text })
          }}
        >
          <Textarea
            aria-label={t('A note')}
            placeholder={t('A constraint, a finding, a dead end: for whoever works on it next')}
            autosize
            minRows={2}
            maxLength={MAX_CHARACTERS.knowledge}
            mt="sm"
            value={text}
            onChange={event => setText(event.currentTarget.value)}
          />
          {saving.error !== null && <ErrorState error={saving.error} title={t('The note was not saved')} />}
          {text.trim() !== '' && (
            <Group justify="flex-end" mt="sm">
              <Button type="submit" size="xs" loading={saving.isPending}>
                {t('Save note')}
              </Button>
            </Group>
          )}
        </form>
      )}
    </section>
  )
}
