import { Alert, Box, Button, Group, Text } from '@mantine/core'
import { IconGitMerge } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { MAX_CHARACTERS } from '../../../../../schemas/domain/limits.ts'
import { isUnknown } from '../../../api/http.ts'
import { call, type Output, useOperation } from '../../../api/operations.ts'
import { counted, t } from '../../../language/messages.ts'
import { statement } from '../../../language/statements.ts'
import { loadPart } from '../../../load-part.ts'
import { Confirm } from '../../../parts/change-dialog.tsx'
import { TellingButton } from '../../../parts/controls.tsx'
import { FormFailure } from '../../../parts/forms/form-notes.tsx'
import { excessOf } from '../../../parts/forms/limited-text.tsx'
import { ErrorState, LoadingState } from '../../../parts/states.tsx'
import { useKeys } from '../../../shell/keys.ts'
import { notifyDone } from '../../../shell/notify.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { toggleTask } from '../markdown/toggle-task.ts'
import { useDecisionChange } from '../use-decision-change.ts'
import { DifferenceLines } from './differences.tsx'
import classes from './document.module.css'
import { type Draft, useFullText } from './use-document.ts'
import { VersionLine } from './version-line.tsx'

/** The editor comes once somebody writes: readers do not load it. */
const MarkdownEditor = lazy(
  loadPart(() => import('./writing/markdown-editor.tsx').then(({ MarkdownEditor }) => ({ default: MarkdownEditor }))),
)

/** The marks that bringing two edits together leaves around what both changed. */
const HAS_MARKS = /^(<{7} yours|>{7} theirs)$/m

interface Props {
  readonly reference: string
  readonly draft: Draft
  /** The newest version; 0 while there is none. */
  readonly newest: number
  /** It was begun before the page was opened: nobody has asked to write yet. */
  readonly wasBegun: boolean
  /** Null: it is saved, or thrown away. */
  readonly onChange: (draft: Draft | null) => void
}

/** Edits a Living Document as text, with what it will look like beside it; ticks its tasks without the text. */
export const Editor = ({ reference, draft, newest, wasBegun, onChange }: Props) => {
  const [isDiscarding, setDiscarding] = useState(false)
  const [requests, setRequests] = useState(wasBegun ? 0 : 1)
  const write = () => {
    setRequests(requests + 1)
    if (draft.isTicked === true) onChange({ ...draft, isTicked: false })
  }
  useKeys([{ key: 'd', does: t('Edit the Living Document'), run: write }])
  const sent = useRef('')
  const written = useRef(draft.text)
  written.current = draft.text
  const saving = useDecisionChange('edit_living_document', {
    doneMessage: t('Version {number} is saved.', { number: draft.version + 1 }),
    reversible: false,
    // What was written while it was on its way goes on from the version that it made.
    onDone: ({ version }) =>
      onChange(written.current === sent.current ? null : { ...draft, text: written.current, version }),
  })
  const tooLong = excessOf(draft.text, MAX_CHARACTERS.document)
  // A newer version may be the one that is being saved, or that was saved when its answer was lost.
  const isFollowed = newest > draft.version && !saving.isPending && !isUnknown(saving.error)
  const isStale = saving.error?.isStale === true || isFollowed
  const hasMarks = HAS_MARKS.test(draft.text)
  const missing = isStale
    ? t('Somebody saved a version meanwhile: bring both together first.')
    : hasMarks
      ? t('First choose one of the two texts between the marks: both of you changed these lines.')
      : tooLong !== null
        ? tooLong
        : draft.version === 0 && draft.text.trim() === ''
          ? t('Write something first.')
          : null
  const canSave = missing === null
  const saved =
    draft.version === 0
      ? statement('Begin the Living Document of {reference}.', { reference })
      : statement('Edit the Living Document of {reference}.', { reference })
  // A version says itself what was decided: nobody is asked for a sentence.
  const save = () => {
    if (!canSave) return
    sent.current = draft.text
    saving.decide({
      solution_id: reference,
      markdown: draft.text,
      ...(draft.version > 0 && { version: draft.version }),
      comment: saved.stored,
    })
  }
  const brought = (text: string, version: number) => {
    saving.reset()
    onChange({ text, version })
  }
  const preview = (
    <Markdown text={draft.text} onTick={line => onChange({ ...draft, text: toggleTask(draft.text, line) })} />
  )
  return (
    <>
      <Group justify="space-between" mb="md" gap="sm">
        <Text size="sm" c="dimmed">
          {t('{what} This tab keeps what you write until you save it.', {
            what:
              draft.version === 0 ? t('The first version.') : t('On version {version}.', { version: draft.version }),
          })}
        </Text>
        <Group gap="sm">
          <Button size="xs" variant="default" onClick={() => setDiscarding(true)}>
            {t('Discard')}
          </Button>
          {draft.isTicked === true && (
            <Button size="xs" variant="default" onClick={write}>
              {t('Edit')}
            </Button>
          )}
          <TellingButton size="xs" onClick={save} missing={missing} loading={saving.isPending}>
            {t('Save version {number}', { number: draft.version + 1 })}
          </TellingButton>
        </Group>
      </Group>
      {tooLong !== null && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" mb="sm">
          {tooLong}
        </Text>
      )}
      {!isStale && (
        <Box mb={saving.error === null ? 0 : 'sm'}>
          <FormFailure form={null} error={saving.error} title={t('It was not saved')} />
        </Box>
      )}
      {isStale && <Conflict reference={reference} draft={draft} written={written} onBrought={brought} />}
      {draft.isTicked === true ? (
        <article className="reading" aria-label={t('Preview')}>
          {preview}
        </article>
      ) : (
        <div className={classes.sides}>
          <Suspense fallback={<LoadingState rows={8} height={20} />}>
            <MarkdownEditor
              text={draft.text}
              requests={requests}
              onChange={text => onChange({ ...draft, text })}
              onSave={save}
            />
          </Suspense>
          <section className={classes.preview} aria-label={t('Preview')}>
            {draft.text.trim() === '' ? (
              <Text size="sm" c="dimmed">
                {t('Your text is shown here. Type [[ to name a claim or a Solution. Ctrl or ⌘ with S saves.')}
              </Text>
            ) : (
              preview
            )}
          </section>
        </div>
      )}
      <Confirm
        opened={isDiscarding}
        title={t('Discard this edit?')}
        action={t('Discard')}
        change={null}
        onConfirm={() => onChange(null)}
        onClose={() => setDiscarding(false)}
      >
        {t('What you wrote since version {version} is lost. The versions stay as they are.', {
          version: draft.version,
        })}
      </Confirm>
    </>
  )
}

interface ConflictProps {
  readonly reference: string
  readonly draft: Draft
  /** The text by now: it is written on while both are brought together. */
  readonly written: { readonly current: string }
  readonly onBrought: (text: string, version: number) => void
}

/** Somebody saved a version meanwhile: shows what they changed, and brings both together. Neither text is lost. */
const Conflict = ({ reference, draft, written, onBrought }: ConflictProps) => {
  const [isBringing, setBringing] = useState(false)
  const [isShown, setShown] = useState(false)
  const [failed, setFailed] = useState<unknown>(null)
  const { data: newest } = useOperation('lookup_living_document', { id: reference, depth: 'summary' })
  /** Both texts in one, with all that was written until then. */
  const merge = async (): Promise<Output<'merge_living_document'>> => {
    const markdown = written.current
    const { data } = await call('merge_living_document', { solution_id: reference, version: draft.version, markdown })
    return written.current === markdown ? data : merge()
  }
  const bring = async () => {
    setBringing(true)
    setFailed(null)
    try {
      const data = await merge()
      const places = counted(data.conflicts, 'place')
      notifyDone(
        data.conflicts === 0
          ? t('Both changes are in the text. Read it, then save it.')
          : t('Both changed the same lines in {places}: choose between the marks, then save.', { places }),
      )
      onBrought(data.text, data.newest.version)
    } catch (error) {
      setFailed(error)
    } finally {
      setBringing(false)
    }
  }
  return (
    <Alert
      mb="md"
      variant="default"
      role="alert"
      icon={<IconGitMerge size={18} color="var(--mantine-color-anchor)" />}
      title={t('Somebody saved a version while you wrote')}
    >
      <Text size="sm" mb="sm">
        {t('Nothing was written, and your text is below as you left it.')}
      </Text>
      {newest !== undefined && <VersionLine version={newest} />}
      <Group gap="sm" mt="sm">
        <Button size="xs" loading={isBringing} onClick={bring}>
          {t('Bring both together')}
        </Button>
        <Button size="xs" variant="default" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {t('What they changed')}
        </Button>
      </Group>
      {isShown && newest !== undefined && (
        <Theirs reference={reference} since={draft.version} to={newest.newest_version} />
      )}
      {failed !== null && <ErrorState error={failed} title={t('They were not brought together')} />}
    </Alert>
  )
}

interface TheirsProps {
  readonly reference: string
  readonly since: number
  readonly to: number
}

const Theirs = ({ reference, since, to }: TheirsProps) => {
  const { data, error } = useFullText({
    id: reference,
    show: 'changes',
    version: to,
    // Without a version before it, all of theirs is new.
    ...(since > 0 && { since_version: since }),
  })
  if (error !== null) return <ErrorState error={error} />
  return data === undefined ? <Text size="sm">{t('Reading…')}</Text> : <DifferenceLines text={data.text} />
}
