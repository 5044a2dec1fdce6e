// A host in JavaScript, which runs a policy of purexp by the protocol of docs/protocol.md. The policy chooses the options to
// measure, and returns the best option. The script requires node 18 or newer and the program purexp, but no packages.
//
//   node drive.js                       # the recommended method and the problem below
//   node drive.js LUCB problem.json     # another method, and a problem in a file
'use strict'
const { spawn } = require('child_process')
const readline = require('readline')
const fs = require('fs')

const [name = 'recommended', file] = process.argv.slice(2)
const problem = file ? JSON.parse(fs.readFileSync(file, 'utf8')) : {
  arms: 4,
  objectives: 1,
  sigma: 1, // the standard deviation of the noise
  names: ['north', 'east', 'south', 'west'],
  question: { find: 'best', epsilon: 0.1 },
}

// Returns a measurement of an arm: a number for each objective, where larger is better. Replace the body by your measurement.
// This example simulates rewards with means 0, 0.5, 1, ... and Gaussian noise.
async function measure(arm) {
  const gauss = () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random())
  return Array.from({ length: problem.objectives }, () => 0.5 * arm + problem.sigma * gauss())
}

// Returns the sum of n rewards of an arm, for each objective.
async function result([arm, n]) {
  const sum = Array(problem.objectives).fill(0)
  for (let i = 0; i < n; i++) (await measure(arm)).forEach((x, j) => { sum[j] += x })
  return { arm, n, sum }
}

async function drive() {
  const policy = spawn(process.env.PUREXP || 'purexp', ['policy', name], { stdio: ['pipe', 'pipe', 'inherit'] })
  policy.on('error', e => { console.error(`${e.message}; install purexp on the PATH, or set PUREXP to its path`); process.exit(1) })
  policy.stdin.on('error', () => {}) // if the policy ends early, converse throws an error
  const say = message => policy.stdin.write(JSON.stringify(message) + '\n')

  try {
    return await converse(policy.stdout, say)
  } finally {
    policy.stdin.end() // ends the policy, which would otherwise wait for another init, also after refuse
  }
}

async function converse(lines, say) {
  let measured = 0
  say({ type: 'init', protocol: 1, problem, delta: 0.05, seed: '1' })
  for await (const line of readline.createInterface({ input: lines })) {
    const message = JSON.parse(line)
    switch (message.type) {
      case 'ready':
        console.log(message.name)
        break
      case 'ask': {
        const results = []
        for (const pull of message.pulls) results.push(await result(pull))
        measured += results.reduce((sum, r) => sum + r.n, 0)
        say({ type: 'tell', results })
        break
      }
      case 'stop': {
        const names = problem.names || [...Array(problem.arms).keys()]
        return console.log(`after ${measured} measurements: ${message.answer.chosen.map(i => names[i]).join(', ')}`)
      }
      case 'refuse':
        throw Error(`${name} does not support this problem: ${message.why}`)
      default: // error, or an unknown message
        throw Error(message.message || `unknown message type ${message.type}`)
    }
  }
  throw Error('the policy ended without an answer; see its error messages above')
}

drive().catch(e => { console.error(e.message); process.exitCode = 1 })
