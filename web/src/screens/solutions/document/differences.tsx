import { Button, Group, SegmentedControl, Select, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense, useMemo } from 'react'
import { t } from '../../../language/messages.ts'
import { loadPart } from '../../../load-part.ts'
import { ErrorState, LoadingState } from '../../../parts/states.tsx'
import classes from './document.module.css'
import { type DifferenceLine, parseDifferences } from './parse-differences.ts'
import { useFullText } from './use-document.ts'

const SideBySide = lazy(
  loadPart(() => import('./writing/side-by-side.tsx').then(({ SideBySide }) => ({ default: SideBySide }))),
)

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
export const Differences = ({ reference, newest, since, to, as, onAs, onChange, onVersions }: DifferencesProps) => {
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

const MARKS: Readonly<Record<DifferenceLine['kind'], string>> = { kept: ' ', added: '+', removed: '−', place: '' }

/** The lines of a unified diff. Signs tell added from removed without the colours. */
export const DifferenceLines = ({ text }: { readonly text: string }) => {
  const lines = useMemo(() => parseDifferences(text), [text])
  if (lines.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('Both versions are the same.')}
      </Text>
    )
  }
  return (
    <ol className={classes.differences}>
      {lines.map(({ kind, text, number }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines repeat; their place is what they are known by
        <li key={place} data-kind={kind}>
          <span className={classes.number}>{number}</span>
          <span className={classes.mark}>{MARKS[kind]}</span>
          <bdi dir="auto">{text}</bdi>
        </li>
      ))}
    </ol>
  )
}
