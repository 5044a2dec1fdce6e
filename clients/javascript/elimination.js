// A guest in JavaScript: successive elimination for the best arm, by the protocol of docs/protocol.md. It needs node 18 or newer, and no packages.
//
//   purexp policytest --exec 'node elimination.js'
//   purexp arena --exec 'node elimination.js' --question 'best item'
//
// Round r = 1, 2, ... brings every arm that is left to N = 1.3^r rewards, rounded up. The mean of one arm less that of another is then off by more than
//   width = sigma sqrt(4 log((K-1) r (r+1) / delta) / N)
// to one side with probability at most delta / ((K-1) r (r+1)), for rewards that are sigma-sub-Gaussian. Over the K-1 pairs with the best arm and all rounds that
// adds up to delta. So with probability 1 - delta the best arm is never behind by more than the width, and arms that are can be left out.
'use strict'

function start(init) { // a run, or an exception with the reason why not
  const p = init.problem, q = p.question
  if (init.protocol !== 1) throw Error(`protocol: version ${init.protocol}; expected version 1`)
  if (q.find !== 'best' || q.weights || q.constraints) throw Error('question: expected the best arm, without weights and constraints')
  if (p.objectives !== 1) throw Error(`objectives: ${p.objectives}; expected 1`)
  if (p.features || p.items) throw Error('features: expected none; this policy ignores features')
  if (!(init.delta > 0) || init.budget) throw Error('delta: expected an error probability, and no budget')
  return {
    sigma: p.sigmas ? p.sigmas[0] : p.sigma,
    epsilon: q.epsilon || 0, // an arm that is worse by so much will do
    delta: init.delta,
    arms: p.arms,
    left: [...Array(p.arms).keys()], // arms that may be the best
    sum: Array(p.arms).fill(0),
    n: Array(p.arms).fill(0),
    round: 0,
  }
}

const mean = (run, arm) => run.n[arm] ? run.sum[arm] / run.n[arm] : 0
const best = run => run.left.reduce((a, b) => mean(run, b) > mean(run, a) ? b : a)

// What comes next: more rewards of every arm that is left, or the end.
function next(run) {
  const lead = best(run)
  if (run.left.length === 1 || run.sure) return { type: 'stop', answer: { chosen: [lead] } }
  let more = 0
  while (more < 1) more = Math.ceil(1.3 ** ++run.round) - run.n[lead] // skips rounds that would bring nothing
  return { type: 'ask', pulls: run.left.map(arm => [arm, more]) }
}

function tell(run, results) {
  for (const { arm, n, sum } of results) {
    run.n[arm] += n
    run.sum[arm] += sum[0] // the only objective
  }
  const lead = best(run)
  const width = run.sigma * Math.sqrt(4 * Math.log((run.arms - 1) * run.round * (run.round + 1) / run.delta) / run.n[lead])
  const behind = arm => mean(run, lead) - mean(run, arm)
  run.left = run.left.filter(arm => behind(arm) <= width)
  run.sure = run.left.every(arm => arm === lead || behind(arm) + run.epsilon > width)
}

const say = message => console.log(JSON.stringify(message))
let run // there is one at a time; an init forgets the last one

require('readline').createInterface({ input: process.stdin }).on('line', line => {
  const message = JSON.parse(line)
  switch (message.type) {
    case 'init':
      try {
        run = start(message)
      } catch (e) {
        return say({ type: 'refuse', why: e.message })
      }
      say({ type: 'ready', protocol: 1, name: 'successive elimination in JavaScript', evidence: 'own rounds' })
      return say(next(run))
    case 'tell':
      tell(run, message.results)
      return say(next(run))
    case 'answer': // what would it say now? This changes nothing
      return say({ type: 'answer', answer: { chosen: [best(run)] } })
    case 'error':
      console.error(message.message) // standard error is this program's log
      return process.exit(1)
    default:
      say({ type: 'error', message: `type ${message.type} is not known` })
      return process.exit(1)
  }
})
