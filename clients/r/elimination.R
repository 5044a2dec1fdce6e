# A custom policy in R: successive elimination for the best arm.
#   purexp policytest --exec 'Rscript elimination.R'
suppressPackageStartupMessages(library(jsonlite))
say <- function(...) { cat(toJSON(list(...), auto_unbox = TRUE, digits = NA), "\n", sep = ""); flush(stdout()) }

radius <- function(s) {
  level <- s$delta / (2 * s$k * s$round * (s$round + 1)) # a union bound over arms and rounds
  s$sigma * sqrt(2 * log(1 / level) / s$n[s$active[1]])
}
next_round <- function(s) {
  if (length(s$active) == 1) return(say(type = "stop", answer = list(chosen = I(s$active - 1))))
  want <- max(1, ceiling(0.1 * s$n[s$active[1]]))
  say(type = "ask", pulls = lapply(s$active, function(a) c(a - 1, want))) # the protocol numbers arms from 0
}

input <- file("stdin", "r")
while (length(line <- readLines(input, n = 1)) > 0) {
  m <- fromJSON(line, simplifyVector = FALSE)
  if (m$type == "init") {
    p <- m$problem
    if (p$question$find != "best" || p$objectives > 1 || !is.null(p$items) || !is.null(p$link) || is.null(m$delta)) {
      say(type = "refuse", why = "question: expected the best arm of one objective, with an error probability")
      next
    }
    s <- list(k = p$arms, sigma = p$sigma, delta = m$delta, active = seq_len(p$arms), n = numeric(p$arms),
              sum = numeric(p$arms), round = 0)
    say(type = "ready", protocol = 1, name = "elimination (R)", evidence = "own rounds")
    next_round(s)
  } else if (m$type == "tell") {
    for (r in m$results) {
      s$n[r$arm + 1] <- s$n[r$arm + 1] + r$n
      s$sum[r$arm + 1] <- s$sum[r$arm + 1] + r$sum[[1]]
    }
    s$round <- s$round + 1
    mean <- s$sum / pmax(s$n, 1)
    s$active <- s$active[mean[s$active] + 2 * radius(s) > max(mean[s$active])]
    next_round(s)
  } else if (m$type == "answer") {
    best <- s$active[which.max((s$sum / pmax(s$n, 1))[s$active])]
    say(type = "answer", answer = list(chosen = I(best - 1)))
  } else {
    quit(status = 1)
  }
}
