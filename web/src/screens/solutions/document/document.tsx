import { Button, Group, SegmentedControl, Select, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconFileText } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useCanEdit } from '../../../api/use-role.ts'
import { t } from '../../../language/messages.ts'
import { loadPart } from '../../../load-part.ts'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { ErrorState } from '../../../parts/error-state.tsx'
import { LoadingState } from '../../../parts/loading-state.tsx'
import { useUrlState } from '../../../parts/use-url-state.ts'
import { useKeys } from '../../../shell/keys.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { DifferenceLines } from './difference-lines.tsx'
import { Editor } from './editor.tsx'
import { type Draft, useDraft } from './use-draft.ts'
import { useFullText } from './use-full-text.ts'
import { VersionLine } from './version-line.tsx'
import { Versions } from './versions.tsx'

const SideBySide = lazy(
  loadPart(() => import('./writing/side-by-side.tsx').then(({ SideBySide }) => ({ default: SideBySide }))),
)

/** What is shown: the text of a version (the newest unless one is named), all versions, or the differences of two. */
const SHOWN = { show: 'text', version: '', since: '', as: '' }

interface Props {
  readonly reference: string
  /** The newest version; 0 while there is none. */
  readonly newest: number
}

/** The Living Document of a Solution: read, edited, its versions, and what changed between any two. */
export const Document = ({ reference, newest }: Props) => {
  const [shown, change] = useUrlState(SHOWN)
  const [draft, setDraft] = useDraft(reference)
  const canEdit = useCanEdit()
  if (draft !== null && canEdit) {
    const edited = (next: Draft | null) => {
      setDraft(next)
      // What is read next is the newest, also when the edit began with an old version.
      if (next === null) change({ show: 'text', version: '', since: '' })
    }
    return <Editor reference={reference} draft={draft} onChange={edited} />
  }
  if (newest === 0) {
    return (
      <EmptyState icon={IconFileText} title={t('It has no Living Document yet')}>
        {t('One text that grows with the Solution: what and why, the plan, what was learned. Every version is kept.')}
        {canEdit && (
          <div>
            <Button mt="md" onClick={() => setDraft({ version: 0, text: '' })}>
              {t('Begin it')}
            </Button>
          </div>
        )}
      </EmptyState>
    )
  }
  const version = Number(shown.version) || newest
  const read = (read: number) => change({ show: 'text', version: read === newest ? '' : String(read), since: '' })
  if (shown.show === 'versions') {
    return (
      <Versions
        reference={reference}
        onRead={read}
        onCompare={(since, to) => change({ show: 'changes', since: String(since), version: String(to) })}
      />
    )
  }
  if (shown.show === 'changes') {
    return (
      <Differences
        reference={reference}
        newest={newest}
        since={Number(shown.since) || Math.max(1, version - 1)}
        to={version}
        as={shown.as}
        onAs={as => change({ as })}
        onChange={(since, to) => change({ since: String(since), version: String(to) })}
        onVersions={() => change({ show: 'versions' })}
      />
    )
  }
  return (
    <VersionText
      reference={reference}
      newest={newest}
      version={version}
      onEdit={canEdit ? setDraft : null}
      onVersions={() => change({ show: 'versions' })}
      onChanges={() => change({ show: 'changes', version: String(version), since: '' })}
      onNewest={() => read(newest)}
    />
  )
}

interface VersionTextProps extends Props {
  readonly version: number
  /** Null: the person may not edit it. */
  readonly onEdit: ((draft: Draft) => void) | null
  readonly onVersions: () => void
  readonly onChanges: () => void
  readonly onNewest: () => void
}

const VersionText = ({ reference, newest, version, onEdit, onVersions, onChanges, onNewest }: VersionTextProps) => {
  const { data, error, refetch } = useFullText({ id: reference, version })
  const edit = () => data !== undefined && onEdit?.({ version: newest, text: data.text })
  useKeys([
    ...(onEdit === null ? [] : [{ key: 'd', does: t('Edit the Living Document'), run: () => void edit() }]),
    { key: 'v', does: t('Versions of the Living Document'), run: onVersions },
  ])
  if (data === undefined) {
    return error === null ? <LoadingState rows={8} height={20} /> : <ErrorState error={error} retry={refetch} />
  }
  const isOld = version < newest
  return (
    <>
      <Group justify="space-between" mb="md" gap="sm">
        <VersionLine version={data} />
        <Group gap="sm" data-chrome>
          {isOld && (
            <Button size="xs" variant="default" onClick={onNewest}>
              {t('Back to version {newest}', { newest })}
            </Button>
          )}
          {newest > 1 && (
            <Button size="xs" variant="default" onClick={onChanges}>
              {t('What changed')}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={onVersions}>
            {t('Versions')}
          </Button>
          {onEdit !== null && (
            <Button size="xs" onClick={edit}>
              {isOld ? t('Restore by an edit') : t('Edit')}
            </Button>
          )}
        </Group>
      </Group>
      <article className="reading" aria-label={t('Living Document, version {version}', { version })}>
        <Markdown text={data.text} />
      </article>
    </>
  )
}

interface DifferencesProps {
  readonly reference: string
  readonly newest: number
  readonly since: number
  readonly to: number
  /** `sides` or `lines`; empty: what the screen has room for. */
  readonly as: string
  readonly onAs: (as: string) => void
  readonly onChange: (since: number, to: number) => void
  readonly onVersions: () => void
}

/** Where two texts have room beside each other. */
const WIDE = '(min-width: 62em)'

/** What changed between any two versions: side by side, or line by line. */
const Differences = ({ reference, newest, since, to, as, onAs, onChange, onVersions }: DifferencesProps) => {
  const isWide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false })
  const shown = as === '' ? (isWide ? 'sides' : 'lines') : as
  const versions = Array.from({ length: newest }, (_, place) => String(newest - place))
  const { data, error, refetch } = useFullText({ id: reference, show: 'changes', version: to, since_version: since })
  return (
    <>
      <Group justify="space-between" mb="md" gap="sm">
        <Group gap="sm">
          <VersionSelect
            label={t('From version')}
            versions={versions}
            value={since}
            onChange={value => onChange(value, to)}
          />
          <VersionSelect
            label={t('To version')}
            versions={versions}
            value={to}
            onChange={value => onChange(since, value)}
          />
          {data?.changes != null && (
            <Text size="sm" c="dimmed">
              {t('{added_lines} added, {removed_lines} removed', {
                added_lines: data.changes.added_lines,
                removed_lines: data.changes.removed_lines,
              })}
            </Text>
          )}
        </Group>
        <Group gap="sm" data-chrome>
          <SegmentedControl
            size="xs"
            aria-label={t('How the changes are shown')}
            data={[
              { value: 'sides', label: t('Side by side') },
              { value: 'lines', label: t('Line by line') },
            ]}
            value={shown}
            onChange={onAs}
          />
          <Button size="xs" variant="default" onClick={onVersions}>
            {t('Versions')}
          </Button>
        </Group>
      </Group>
      {data === undefined && error === null && <LoadingState rows={6} height={20} />}
      {error !== null && <ErrorState error={error} retry={refetch} />}
      {data !== undefined && shown === 'lines' && <DifferenceLines text={data.text} />}
      {data !== undefined && shown !== 'lines' && <Sides reference={reference} since={since} to={to} />}
    </>
  )
}

interface SidesProps {
  readonly reference: string
  readonly since: number
  readonly to: number
}

const Sides = ({ reference, since, to }: SidesProps) => {
  const before = useFullText({ id: reference, version: since })
  const after = useFullText({ id: reference, version: to })
  if (before.error !== null) return <ErrorState error={before.error} retry={before.refetch} />
  if (after.error !== null) return <ErrorState error={after.error} retry={after.refetch} />
  if (before.data === undefined || after.data === undefined) return <LoadingState rows={6} height={20} />
  return (
    <Suspense fallback={<LoadingState rows={6} height={20} />}>
      <SideBySide
        before={{ label: t('Version {since}', { since }), text: before.data.text }}
        after={{ label: t('Version {to}', { to }), text: after.data.text }}
      />
    </Suspense>
  )
}

interface SelectProps {
  readonly label: string
  readonly versions: readonly string[]
  readonly value: number
  readonly onChange: (version: number) => void
}

const VersionSelect = ({ label, versions, value, onChange }: SelectProps) => (
  <Select
    size="xs"
    w={120}
    aria-label={label}
    allowDeselect={false}
    data={versions.map(version => ({ value: version, label: t('Version {version}', { version }) }))}
    value={String(value)}
    onChange={chosen => chosen !== null && onChange(Number(chosen))}
  />
)
