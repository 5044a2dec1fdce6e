# Finds the dose with the largest response. A policy of purexp chooses the doses to measure.
#   Rscript drive.R        # requires purexp on PATH, or its path in the environment variable PUREXP
library(jsonlite)
library(processx)
set.seed(7)
response <- c("1 mg" = 2.0, "2 mg" = 2.6, "5 mg" = 3.4, "10 mg" = 3.0, "20 mg" = 2.8) # the true means, unknown to the policy

program <- Sys.getenv("PUREXP", "purexp")
policy <- process$new(program, c("policy", "recommended"), stdin = "|", stdout = "|", stderr = "|")
send <- function(...) {
  left <- charToRaw(paste0(toJSON(list(...), auto_unbox = TRUE, digits = NA), "\n"))
  while (length(left) > 0) left <- policy$write_input(left)
}
receive <- function() {
  repeat {
    line <- policy$read_output_lines(n = 1)
    if (length(line) > 0) return(fromJSON(line, simplifyVector = FALSE))
    if (!policy$is_alive()) stop(policy$read_all_error())
    policy$poll_io(1000)
  }
}

send(type = "init", protocol = 1, delta = 0.05, seed = "1",
     problem = list(arms = length(response), objectives = 1, sigma = 0.5, names = names(response),
                    question = list(find = "best", epsilon = 0.1)))
cat(receive()$name, "\n")
rewards <- 0
repeat {
  m <- receive()
  if (m$type != "ask") break
  results <- lapply(m$pulls, function(pull) {
    x <- rnorm(pull[[2]], response[pull[[1]] + 1], 0.5)
    list(arm = pull[[1]], n = pull[[2]], sum = I(sum(x)))
  })
  rewards <- rewards + sum(sapply(m$pulls, function(pull) pull[[2]]))
  send(type = "tell", results = results)
}
cat(names(response)[m$answer$chosen[[1]] + 1], "after", rewards, "measurements\n")
