import { Button, Group, Title } from '@mantine/core'
import { IconRobot } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import type { Output } from '../../api/operations.ts'
import { fromStored, language, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { addressOfReference, Reference, When } from '../../parts/inline.tsx'
import classes from './solution.module.css'

export type SolutionOutput = Output<'lookup_solution'>
type ContextOutput = Output<'lookup_context'>

/** What each tab of a Solution is made from. */
export interface SolutionTab {
  readonly tab: string
  readonly solution: SolutionOutput
  readonly context: ContextOutput
}

interface Props {
  readonly reference: string
  readonly chosen: string
  /** Of the Living Document; 0 while there is none. */
  readonly version: number
  readonly decisions: number
}

/** The parts of a Solution’s page by their addresses below its own. */
const PARTS: Readonly<Record<string, string>> = {
  '': t('Overview'),
  document: t('Living Document'),
  decisions: t('Decisions'),
}

/** What the browser’s tab says of a part, which a screen reader says when it is there. */
export const partNamed = (chosen: string, solution: string): string =>
  chosen === '' || PARTS[chosen] === undefined ? solution : `${PARTS[chosen]} · ${solution}`

/** The parts of a Solution’s page, each with an address of its own. */
export const SolutionTabs = ({ reference, chosen, version, decisions }: Props) => {
  const address = addressOfReference(reference) ?? ''
  const tabs = [
    { name: '', about: '' },
    { name: 'document', about: version === 0 ? '' : `v${version}` },
    { name: 'decisions', about: decisions.toLocaleString(language) },
  ]
  return (
    <nav className={classes.tabs} aria-label={t('Parts of the Solution')} data-chrome>
      {tabs.map(({ name, about }) => (
        <Link
          key={name}
          to={name === '' ? address : `${address}/${name}`}
          aria-current={chosen === name ? 'page' : undefined}
        >
          {PARTS[name]} <span className={classes.count}>{about}</span>
        </Link>
      ))}
    </nav>
  )
}

interface SectionProps {
  readonly title: string
  readonly count?: number
  readonly action?: { readonly label: string; readonly run: () => void } | null
  readonly children: ReactNode
}

/** A part of a Solution’s overview under its heading. */
export const Section = ({ title, count, action = null, children }: SectionProps) => {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3" id={id}>
          {title} {count !== undefined && <span className={classes.count}>{count.toLocaleString(language)}</span>}
        </Title>
        {action !== null && (
          <Button size="compact-sm" variant="subtle" onClick={action.run} data-chrome>
            {action.label}
          </Button>
        )}
      </Group>
      {children}
    </section>
  )
}

interface ByLineProps {
  readonly name: string
  /** The label of the key that an agent worked through; null for the app. */
  readonly label: string | null
}

/** Which human it was, and through which key where an agent carried it in. */
export const ByLine = ({ name, label }: ByLineProps) => (
  <span className={classes.byLine}>
    <bdi>{name}</bdi>
    {label !== null && (
      <>
        {' '}
        <IconRobot size={13} aria-hidden /> {rich('through the key “{label}”', { label: <bdi>{label}</bdi> })}
      </>
    )}
  </span>
)

interface PlacedByProps {
  readonly decision: {
    readonly reference: string
    readonly text: string
    readonly made_by: string
    readonly key_label: string | null
    readonly made_at: string
  }
}

/** The foot of a card: the Decision by which a Solution is where it is. */
export const PlacedBy = ({ decision: { reference, text, made_by, key_label, made_at } }: PlacedByProps) => (
  <footer className={classes.decision}>
    <bdi className={classes.statement} title={fromStored(text)}>
      {fromStored(text)}
    </bdi>
    <div className={classes.by}>
      <Reference of={reference} />
      <ByLine name={made_by} label={key_label} />
      <When at={made_at} />
    </div>
  </footer>
)
