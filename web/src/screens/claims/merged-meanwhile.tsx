import { Alert, Button, Group, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { keepDraft, readDraft, useDraft } from '../../api/drafts.ts'
import { t } from '../../language/messages.ts'
import { LiveStatus } from '../../parts/live-status.tsx'
import { draftOfTitle, writtenTitle } from '../../parts/title-field.tsx'

/** What one writes about a claim, whichever it lives on in. */
const ABOUT = ['comment', 'note']

const moveDraft = (from: string, to: string): void => {
  const draft = readDraft(from)
  if (draft === null) return
  const there = readDraft(to)
  keepDraft(to, there === null ? draft : `${there}\n${draft}`)
  keepDraft(from, null)
}

interface Props {
  /** What the address names. */
  readonly id: string
  /** The claim that it lives on in. */
  readonly reference: string
}

/**
 * Where somebody merged the claim while it was open, or while something was being written about it: says so. What was
 * written about it stands in the same field of the claim that it lives on in. Its new title is no title of that one.
 */
export const MergedMeanwhile = ({ id, reference }: Props) => {
  const isMerged = id.toUpperCase() !== reference
  const wasOpen = useRef(false)
  wasOpen.current ||= !isMerged
  const [draft, setDraft] = useDraft(draftOfTitle(id))
  useEffect(() => {
    if (isMerged) for (const kind of ABOUT) moveDraft(`${kind} ${id.toUpperCase()}`, `${kind} ${reference}`)
  }, [isMerged, id, reference])
  if (!isMerged || (!wasOpen.current && draft === null)) return null
  const title = draft === null ? null : writtenTitle(draft)
  return (
    <Alert variant="light" mb="md" role="note">
      <LiveStatus>
        <Text size="sm">{t('{id} was merged into {reference}.', { id: id.toUpperCase(), reference })}</Text>
      </LiveStatus>
      {title !== null && (
        <Group gap="sm" mt="xs">
          <Text size="sm">{t('You were calling it “{title}”, which was not saved.', { title })}</Text>
          <Button size="compact-xs" variant="default" onClick={() => setDraft(null)}>
            {t('Discard')}
          </Button>
        </Group>
      )}
    </Alert>
  )
}
