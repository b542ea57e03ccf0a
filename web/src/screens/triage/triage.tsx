import { Drawer, Tabs } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type MouseEvent, useCallback, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { MAX_TRIAGED } from '../../../../schemas/domain/limits.ts'
import { useRole } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { loadPart } from '../../load-part.ts'
import { unlessBeneath } from '../../parts/beneath.ts'
import { addressOfReference } from '../../parts/inline.tsx'
import { later } from '../../parts/later.tsx'
import { PageHeader } from '../../parts/page.tsx'
import { advance, extendTo, moveTo, NOTHING_SELECTED, subjectsOf, toggle } from '../../parts/selection.ts'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { useHistorySheet, useUrlState } from '../../parts/use-url-state.ts'
import { useIsUsed } from '../../shell/use-interaction.ts'
import { actionsOf, LIST, type OpenDialog, useTriageKeys, WORK } from './actions.ts'
import {
  Count,
  Empty,
  FirstSteps,
  NoiseCount,
  SomeWords,
  StatusBar,
  useAreStepsKnown,
  WriteSignalButton,
} from './around-list.tsx'
import type { Decision, Signal } from './decision.ts'
import { Filters, SavedViews } from './filters.tsx'
import { SignalList } from './signal-list.tsx'
import { SignalPanel } from './signal-panel.tsx'
import classes from './triage.module.css'
import { useDecide } from './use-decide.ts'
import { useInbox, usePlace } from './use-inbox.ts'
import type { SwipeSide } from './use-swipe.ts'
import { useTaken } from './use-taken.ts'
import { filtersOf, TABS, tabOf, VIEW } from './view.ts'

const Arriving = later(
  loadPart(() => import('../../parts/arriving.tsx')),
  arriving => arriving.Arriving,
)
const Dialogs = later(
  loadPart(() => import('./dialogs.tsx')),
  dialogs => dialogs.Dialogs,
)

/** From here on there is room for the panel beside the list. */
const WIDE = '(min-width: 62em)'

/** What came in and waits for somebody to decide, or was decided. */
const Triage = () => {
  const [view, changeView] = useUrlState(VIEW)
  const filters = useMemo(() => filtersOf(view), [view])
  const looked = useRef(0)
  const inbox = useInbox(filters, () => looked.current)
  const { items, first, error } = inbox
  const ids = useMemo(() => items.map(({ id }) => id), [items])
  const [choice, setChoice] = useState(NOTHING_SELECTED)
  const [dialog, setDialog] = useState<{ readonly what: OpenDialog; readonly signals: readonly Signal[] } | null>(null)
  const sheet = useHistorySheet('signal')
  const isWide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false })
  const role = useRole()
  const areStepsKnown = useAreStepsKnown()
  const isUsed = useIsUsed()
  const navigate = useNavigate()

  const place = usePlace({
    inbox,
    ids,
    choice,
    setChoice,
    named: view.signal,
    onMoved: signal => changeView({ signal }),
  })

  const { decide, undo, didElsewhere, isOwn, say, status, canUndo } = useDecide({
    inbox,
    filters,
    onLeave: leaving => setChoice(now => advance(now, ids, leaving)),
    onBack: id => setChoice({ ...moveTo(NOTHING_SELECTED, id) }),
  })

  useTaken({ items, cursor: choice.cursor, list: JSON.stringify(filters), isOwn, say })

  const current = items.find(({ id }) => id === choice.cursor)
  const wanted = new Set(subjectsOf(choice, ids).slice(0, MAX_TRIAGED))
  const subjects = items.filter(({ id }) => wanted.has(id))
  const letGo = () => setChoice(now => ({ ...now, chosen: new Set(), anchor: now.cursor }))
  const carryOut = (decision: Decision, signals: readonly Signal[] = subjects) => {
    setDialog(null)
    sheet.close()
    decide(signals, decision)
    letGo()
  }
  const open = ({ reference }: Pick<Signal, 'reference'>) => {
    // The way back leads here, however soon one leaves.
    if (reference === current?.reference && place !== view.signal) changeView({ signal: place })
    navigate(addressOfReference(reference) ?? '/app')
  }
  const actions =
    role === 'viewer'
      ? []
      : actionsOf({
          subjects,
          accept: () => carryOut({ action: 'accept' }),
          wake: () => carryOut({ action: 'wake' }),
          ask: what => setDialog({ what, signals: subjects }),
          letGo,
        })
  useTriageKeys({ ids, choice, setChoice, actions, undo, canUndo, open: () => current && open(current) })

  const swiped = (signal: Signal, side: SwipeSide) => {
    const action = side === 'right' ? 'accept' : 'dismiss'
    const isSo = signal.state === (action === 'accept' ? 'accepted' : 'dismissed')
    if (role !== 'viewer' && signal.duplicate_of === null && !isSo) carryOut({ action }, [signal])
  }
  const press = (id: string, event: MouseEvent, onMark: boolean) => {
    if (event.shiftKey) return setChoice(now => extendTo(now, ids, id))
    if (onMark || event.metaKey || event.ctrlKey) return setChoice(now => toggle(now, id))
    setChoice(moveTo({ ...NOTHING_SELECTED }, id))
    if (!isWide) sheet.open()
  }
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = inbox
  const nearEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  const look = useCallback((place: number) => {
    looked.current = place
  }, [])

  const isFiltered = Object.keys(filters).some(field => !['state', 'snoozed', 'perhaps', 'order_by'].includes(field))
  const side = current && <SignalPanel signal={current} chosen={subjects.length} actions={actions} />
  return (
    <div className={classes.screen}>
      <div className={classes.head}>
        <PageHeader title={t('Triage')} awaits={role === undefined || (first === undefined && error === null)}>
          {first?.some_words !== true && <Count first={first} />}
          {role !== undefined && role !== 'viewer' && <WriteSignalButton hasRoom={isWide} />}
          <SavedViews />
        </PageHeader>
        <FirstSteps />
        {isUsed && <Arriving />}
        <div hidden={!areStepsKnown}>
          <Tabs
            value={tabOf(view)}
            onChange={tab => changeView(TABS.find(({ value }) => value === tab)?.view ?? VIEW)}
            mb="sm"
          >
            <Tabs.List aria-label={t('Which signals')}>
              {TABS.map(({ value, label }) => (
                <Tabs.Tab key={value} value={value}>
                  {label}
                  {value === 'noise' && <NoiseCount tab={tabOf(view)} first={first} />}
                </Tabs.Tab>
              ))}
            </Tabs.List>
          </Tabs>
          <Filters
            view={view}
            sources={(first?.sources ?? []).map(({ source }) => source)}
            facts={first?.facts}
            onChange={changeView}
          />
        </div>
      </div>
      {!areStepsKnown && (
        <div className={classes.state}>
          <LoadingState rows={10} height={40} />
        </div>
      )}
      <div id={WORK} className={classes.body} hidden={!areStepsKnown}>
        <div id={LIST} className={classes.column}>
          {first === undefined ? (
            <div className={classes.state}>
              {error === null ? (
                <LoadingState rows={10} height={40} />
              ) : (
                <ErrorState error={error} retry={inbox.refetch} />
              )}
            </div>
          ) : items.length === 0 ? (
            <Empty tab={tabOf(view)} filters={isFiltered ? filters : null} onTab={changeView} />
          ) : (
            <>
              {first.some_words && <SomeWords first={first} />}
              <SignalList
                items={items}
                count={first.count}
                choice={choice}
                sought={view.text}
                onPress={press}
                onOpen={open}
                onSwipe={actions.length === 0 ? undefined : swiped}
                onNearEnd={nearEnd}
                onLook={look}
              />
            </>
          )}
          <StatusBar status={status} live={inbox.live} canUndo={canUndo} onUndo={undo} chosen={choice.chosen.size} />
        </div>
        {isWide && (
          <aside className={classes.side} aria-label={t('The signal')}>
            {side}
          </aside>
        )}
      </div>
      <Drawer
        opened={!isWide && sheet.opened && current !== undefined}
        onClose={unlessBeneath(sheet.close)}
        position="bottom"
        size="80%"
        title={current?.reference}
      >
        {side}
      </Drawer>
      {dialog !== null && (
        <Dialogs
          {...dialog}
          onDecide={decision => carryOut(decision, dialog.signals)}
          onMerged={({ decision }, doneMessage) => {
            setDialog(null)
            didElsewhere(doneMessage, decision, dialog.signals[0]?.id)
          }}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  )
}

export default Triage
