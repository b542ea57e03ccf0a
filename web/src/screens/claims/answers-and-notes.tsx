import { Button, Group, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMemo } from 'react'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { forgetSent, useDraft } from '../../api/drafts.ts'
import { useChange, useRole } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { StateBadge } from '../../parts/badges.tsx'
import { SearchPicker } from '../../parts/evidence/search-picker.tsx'
import { FormFailure } from '../../parts/forms/form-notes.tsx'
import { LimitedTextarea } from '../../parts/forms/limited-text.tsx'
import { Reference, When } from '../../parts/inline.tsx'
import { Quote } from '../../parts/quote.tsx'
import { UnsentWords } from '../../parts/unsent-words.tsx'
import { type Begun, begin, useSubject } from '../../shell/begun.ts'
import { useKeys } from '../../shell/keys.ts'
import classes from './evidence-list.module.css'
import type { Claim, ClaimActs } from './use-claim.ts'

interface Props {
  readonly claim: Claim
  readonly canEdit: boolean
  readonly acts: ClaimActs
}

/** The Solutions that answer a claim, and linking another one. */
export const AnsweringSolutions = ({ claim, canEdit, acts }: Props) => {
  const [choosing, { open, close }] = useDisclosure()
  const solution = useMemo<Begun>(() => ({ what: 'solution', claims: [claim] }), [claim])
  useSubject(solution)
  const create = () => begin(solution)
  useKeys(
    canEdit
      ? [
          { key: 's', does: t('New Solution for it'), run: create },
          { key: 'l', does: t('Link a Solution'), run: open },
        ]
      : [],
  )
  return (
    <section aria-labelledby="solutions">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="solutions">
          {t('Solutions')}
        </Title>
        {canEdit && (
          <Group gap="xs">
            <Button size="compact-xs" disabled={acts.busy} onClick={create}>
              {t('New Solution')}
            </Button>
            <Button size="compact-xs" variant="default" disabled={acts.busy} onClick={open}>
              {t('Link a Solution')}
            </Button>
          </Group>
        )}
      </Group>
      {claim.answering_solutions.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('No Solution answers it yet.')}
        </Text>
      )}
      <ul className="plain">
        {claim.answering_solutions.map(({ id, reference, title, state }) => (
          <li key={id} className={classes.piece}>
            <Group gap="sm">
              <Reference of={reference} />
              <Text component="bdi" size="sm" flex="1 1 9rem" miw={0}>
                {title}
              </Text>
              <StateBadge state={state} />
              {canEdit && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  color="gray"
                  disabled={acts.busy}
                  aria-label={t('Unlink {reference}', { reference })}
                  onClick={() => acts.unlink(reference)}
                >
                  {t('Unlink')}
                </Button>
              )}
            </Group>
          </li>
        ))}
      </ul>
      <SearchPicker
        type="solution"
        title={t('Which Solution answers {reference}?', { reference: claim.reference })}
        about={t('The evidence of the claim counts for it from then on. You can undo it.')}
        start={claim.title}
        except={claim.answering_solutions.map(({ reference }) => reference)}
        whyNot={t('answers it already')}
        opened={choosing}
        onClose={close}
        onChoose={solution => acts.link(solution)}
      />
    </section>
  )
}

interface NotesProps {
  readonly claim: Claim
  readonly canEdit: boolean
}

/** What people and agents learned about a claim, and a field for more. A note is no evidence. */
export const Notes = ({ claim, canEdit }: NotesProps) => {
  const name = `note ${claim.reference}`
  const [draft, setDraft] = useDraft(name)
  const isViewer = useRole() === 'viewer'
  const text = draft ?? ''
  const saving = useChange('save_knowledge', {
    draft: name,
    invalidates: ['lookup_claim'],
    onSuccess: (_, sent) => forgetSent(name, sent.text),
  })
  return (
    <section aria-labelledby="notes">
      <Title order={2} id="notes" mb="sm">
        {t('Notes')}
      </Title>
      <ul className="plain">
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
      {isViewer && draft !== null && <UnsentWords text={draft} onDiscard={() => setDraft(null)} />}
      {claim.notes.length === 0 && !canEdit && (
        <Text size="sm" c="dimmed">
          {t('There are no notes yet.')}
        </Text>
      )}
      {canEdit && (
        <form
          onSubmit={event => {
            event.preventDefault()
            saving.mutate({ id: claim.reference, text })
          }}
        >
          <LimitedTextarea
            aria-label={t('A note')}
            placeholder={t('A constraint, a finding, a dead end: for whoever works on it next')}
            autosize
            minRows={2}
            most={MAX_CHARACTERS.knowledge}
            mt="sm"
            value={text}
            onChange={({ currentTarget: { value } }) => setDraft(value === '' ? null : value)}
          />
          <FormFailure form={null} error={saving.error} title={t('The note was not saved')} />
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
